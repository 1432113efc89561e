import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { OrgId } from '#domain/ids.ts';
import { placeLegalHold } from '#domain/recordings/contract.ts';
import { requireNotBegun } from '#server/organizations/schedule-deletion.ts';
import { tenantOf } from '#server/platform/access.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { fileForm, smallPng } from '#server/testing/requests.ts';
import { newOrganization, runningCall } from '#server/testing/visitor.ts';
import { lockWaiters } from '#server/testing/waiting-for-locks.ts';
import { deleteDueOrganizations } from './delete-organization.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

/** An organization with a logo and a call, whose deletion is due. */
async function dueOrganization() {
  const ada = await newOrganization(app);
  const { call } = await runningCall(ada);
  const org = ada.user.orgId ?? '';
  await ada.send('POST', `/api/organizations/${org}/logo`, fileForm(smallPng));
  const { rows } = await app.owner.query('select name from organizations where id = $1', [org]);
  const path = `/api/organizations/${org}/deletion`;
  expect((await ada.send('POST', path, { name: rows[0].name })).status).toBe(200);
  await app.owner.query(
    `update organization_deletions set requested_at = now() - interval '8 days',
      due_at = now() - interval '1 minute' where org_id = $1`,
    [org],
  );
  const count = async (of: string) =>
    (await app.owner.query(`select from ${of} where org_id = $1`, [org])).rowCount;
  const hold = () => ada.send('PUT', `/api/calls/${call.id}/legal-hold`, { reason: 'A dispute' });
  return { ada, call, count, hold, cancel: () => ada.send('DELETE', path) };
}
const place = {
  name: 'place_hold_of_test',
  text: `insert into legal_holds (org_id, call_id, reason, placed_by) values ($1, $2, 'A dispute', $3)`,
};
const begun = { status: 409, body: { code: 'deletion_begun' } };

test('R28-A2: a deletion that has begun refuses a cancellation and a legal hold, and ends', async () => {
  const { cancel, count, hold } = await dueOrganization();
  const released = Promise.withResolvers<void>();
  const remove = vi
    .spyOn(app.services.files, 'delete')
    .mockImplementationOnce(() => released.promise);
  const deletion = deleteDueOrganizations(app.services);
  try {
    await vi.waitFor(() => expect(remove).toHaveBeenCalled());
    expect(await cancel()).toMatchObject(begun);
    expect(await hold()).toMatchObject(begun);
  } finally {
    released.resolve();
    await deletion;
    remove.mockRestore();
  }
  expect(await count('calls')).toBe(0);
});

test('R28-A2: a deletion that was interrupted goes on, and is not cancelled in between', async () => {
  const { cancel, count } = await dueOrganization();
  const remove = vi.spyOn(app.services.files, 'delete').mockRejectedValueOnce(new Error('no disk'));
  await deleteDueOrganizations(app.services);
  remove.mockRestore();
  expect(await count('calls')).toBe(1);
  expect(await cancel()).toMatchObject(begun);
  await deleteDueOrganizations(app.services);
  expect(await count('calls')).toBe(0);
});

test.each(['cancel', 'hold'] as const)(
  'a deletion that met a %s before deletes nothing',
  async (how) => {
    const organization = await dueOrganization();
    const { ada, call, count } = organization;
    const remove = vi.spyOn(app.services.files, 'delete');
    if (how === 'hold') {
      await ada.call(placeLegalHold, { params: { id: call.id }, body: { reason: 'A dispute' } });
    } else expect((await organization.cancel()).status).toBe(204);
    await deleteDueOrganizations(app.services);
    expect(remove).not.toHaveBeenCalled();
    remove.mockRestore();
    expect(await count('calls')).toBe(1);
    expect(await count('files')).toBe(1);
  },
);

test('R28-A2: a deletion waits for a hold that is being placed, and keeps the call', async () => {
  const { call, count, ada } = await dueOrganization();
  const orgId = ada.user.orgId as OrgId;
  const [held, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const system = { kind: 'system', name: 'test', orgId } as const;
  const placing = tenantOf(app.services.database, system, null).transaction(async (tx) => {
    await requireNotBegun(tx);
    await tx.run(place, [orgId, call.id, ada.user.id]);
    held.resolve();
    await answered.promise;
  });
  await held.promise;
  const deletion = deleteDueOrganizations(app.services);
  await expect.poll(() => lockWaiters(app)).toBeGreaterThan(0);
  answered.resolve();
  await Promise.all([placing, deletion]);
  expect(await count('calls')).toBe(1);
});

test('two cancellations at once are both answered, and are one event', async () => {
  const { ada, cancel, count } = await dueOrganization();
  const orgId = ada.user.orgId as OrgId;
  const [held, waited] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const system = { kind: 'system', name: 'test', orgId } as const;
  const other = tenantOf(app.services.database, system, null).transaction(async (tx) => {
    await requireNotBegun(tx);
    held.resolve();
    await waited.promise;
  });
  await held.promise;
  const cancelled = [cancel(), cancel()];
  await expect.poll(() => lockWaiters(app)).toBe(2);
  waited.resolve();
  expect((await Promise.all(cancelled)).map(({ status }) => status)).toEqual([204, 204]);
  await other;
  expect(await count('organization_deletions')).toBe(0);
  const events = `select from audit_events
    where org_id = $1 and action = 'ORGANIZATION_DELETION_CANCELLED'`;
  expect((await app.owner.query(events, [orgId])).rowCount).toBe(1);
});
