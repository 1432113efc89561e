import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRoom, updateRoom } from '#domain/rooms/contract.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newMember, newOrganization } from '#server/testing/visitor.ts';
import { waitingForLocks } from '#server/testing/waiting-for-locks.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

test('R25-A4: a change that waits while two factors come to be required is not stored without them', async () => {
  const ada = await newOrganization(app);
  const bea = await newMember(app, ada, 'AGENT');
  const { id } = await ada.call(createRoom, { body: { topic: 'Before' } });
  await app.owner.query('begin');
  await app.owner.query('select from rooms where id = $1 for update', [id]);
  const late = bea.send(updateRoom.method, `/api/rooms/${id}`, { topic: 'Late' });
  await waitingForLocks(app);
  await app.services.database.transaction(ada.user.orgId ?? 'outside', ({ query }) =>
    query('insert into sign_in_policies (org_id, two_factor_required_at) values ($1, now())', [
      ada.user.orgId,
    ]),
  );
  await app.owner.query('commit');
  expect(await late).toMatchObject({ status: 403, body: { code: 'two_factor_required' } });
  const { rows } = await app.owner.query('select topic from rooms where id = $1', [id]);
  expect(rows).toEqual([{ topic: 'Before' }]);
});
