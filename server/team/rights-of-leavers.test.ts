import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Role, roleMay, roles } from '#domain/auth/permissions.ts';
import { createScimToken } from '#domain/scim/contract.ts';
import {
  changeRole,
  inviteUser,
  listInvitations,
  removeUser,
  resendInvitation,
} from '#domain/team/contract.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import {
  newMember,
  newOrganization,
  type Reply,
  signInAgain,
  Visitor,
} from '#server/testing/visitor.ts';
import { waitingForLocks } from '#server/testing/waiting-for-locks.ts';

let app: TestApp;
let ada: Awaited<ReturnType<typeof newOrganization>>;
let mal: Awaited<ReturnType<typeof newMember>>;
beforeAll(async () => {
  app = await openTestApp();
});
beforeEach(async () => {
  ada = await newOrganization(app);
  mal = await newMember(app, ada, 'ORGADMIN');
});
afterAll(() => app.close());

let count = 0;
const address = () => `private-${++count}@example.com`;
async function invited(by: Visitor, role: Role) {
  const email = address();
  const { id, url } = await by.call(inviteUser, { body: { email, role } });
  const path = `/api/invitations/${url.split('/').at(-1)}/accept`;
  const body = { email, password: 'long enough', firstName: 'Mal', lastName: 'Ory' };
  return { id, email, accept: () => new Visitor(app).send('POST', path, body) };
}
const open = async () => (await ada.call(listInvitations)).map(({ id }) => id);
const remove = (who: { user: { id: string } }) =>
  ada.call(removeUser, { params: { id: who.user.id } });

test('H9: removing a member cancels the open invitations by them and to them', async () => {
  const [back, others] = [await invited(mal, 'ORGADMIN'), await invited(ada, 'AGENT')];
  expect(await open()).toHaveLength(2);
  await remove(mal);
  expect(await back.accept()).toMatchObject({ status: 410, body: { code: 'invitation_over' } });
  expect(await open()).toEqual([others.id]);
  expect((await others.accept()).status).toBe(201);
});

test('a waiting mail of an invitation that was canceled, or sent again, is not sent', async () => {
  const [canceled, again] = [await invited(mal, 'AGENT'), await invited(ada, 'AGENT')];
  const mailsTo = async ({ email }: { email: string }) =>
    (await app.owner.query('select from mails where recipient = $1', [email])).rowCount;
  expect([await mailsTo(canceled), await mailsTo(again)]).toEqual([1, 1]);
  await remove(mal);
  await ada.call(resendInvitation, { params: { id: again.id } });
  expect([await mailsTo(canceled), await mailsTo(again)]).toEqual([0, 1]);
});

test('C7: an invitation that a member sent again ends with their membership, even if another admin made it', async () => {
  const { id } = await invited(ada, 'ORGADMIN');
  const { url, email } = await mal.call(resendInvitation, { params: { id } });
  await remove(mal);
  const path = `/api/invitations/${url.split('/').at(-1)}/accept`;
  const body = { email, password: 'long enough', firstName: 'Mal', lastName: 'Ory' };
  expect(await new Visitor(app).send('POST', path, body)).toMatchObject({ status: 410 });
});

test('C5: an admin cannot resend an invitation to a role beyond their own', async () => {
  const operator = await newMember(app, ada, 'SUPERADMIN');
  const { id, accept } = await invited(operator, 'SUPERADMIN');
  const again = await mal.send('POST', `/api/invitations/${id}/resend`);
  expect(again).toMatchObject({ status: 403 });
  expect(again.body).not.toHaveProperty('url');
  expect((await accept()).status).toBe(201);
});

test('an open invitation to the address of a member ends with the membership', async () => {
  const { id } = await invited(ada, 'AGENT');
  await app.owner.query('update invitations set email = $2 where id = $1', [id, mal.user.email]);
  await remove(mal);
  expect(await open()).toEqual([]);
});

test('a demotion cancels invitations that the new role may not send', async () => {
  const operator = await newMember(app, ada, 'SUPERADMIN');
  const [superadmin, admin] = [
    await invited(operator, 'SUPERADMIN'),
    await invited(operator, 'ORGADMIN'),
  ];
  const setRole = (role: Role) =>
    app.owner.query('update memberships set role = $2 where account_id = $1', [
      operator.user.id,
      role,
    ]);
  await setRole('ORGADMIN');
  expect(await open()).toEqual([admin.id]);
  expect((await superadmin.accept()).status).toBe(410);
  await setRole('AGENT');
  expect(await open()).toEqual([]);
  expect((await admin.accept()).status).toBe(410);
});

test('demoting an admin through the API cancels their invitations', async () => {
  const { accept } = await invited(mal, 'VIEWER');
  await ada.call(changeRole, { params: { userId: mal.user.id }, body: { role: 'AGENT' } });
  expect((await accept()).status).toBe(410);
});

test('accepting an invitation that was stored during the removal of its creator is refused', async () => {
  const { id, accept } = await invited(mal, 'ORGADMIN');
  await remove(mal);
  // As if a request was admitted before the removal and stored its row afterwards.
  await app.owner.query('update invitations set cancelled_at = null where id = $1', [id]);
  expect((await accept()).status).toBe(410);
  const { rows } = await app.owner.query('select role from memberships where org_id = $1', [
    ada.user.orgId,
  ]);
  expect(rows).toEqual([{ role: 'ORGADMIN' }]);
});

test('R4-1: an invitation is refused after its creator has deleted their account', async () => {
  const { id, email, accept } = await invited(mal, 'ORGADMIN');
  await remove(mal);
  await app.owner.query('update invitations set cancelled_at = null where id = $1', [id]);
  await signInAgain(mal);
  const confirmed = { email: mal.user.email, password: 'correct horse' };
  expect((await mal.send('POST', '/api/user/delete', confirmed)).status).toBe(204);
  expect(await accept()).toMatchObject({ status: 410, body: { code: 'invitation_over' } });
  const { rows } = await app.owner.query('select 1 from accounts where email = $1', [email]);
  expect(rows).toEqual([]);
});

/** Requests for rights that end with their creator's, so they must not be stored past a removal. */
const makings: Record<string, () => Promise<() => Promise<Reply>>> = {
  'an invitation': async () => () =>
    mal.send('POST', '/api/users/invite', { email: address(), role: 'ORGADMIN' }),
  'an invitation sent again': async () => {
    const { id } = await invited(ada, 'ORGADMIN');
    return () => mal.send('POST', `/api/invitations/${id}/resend`);
  },
  'a SCIM token': async () => () =>
    mal.send('POST', '/api/scim-tokens', { name: 'Late', expiresInDays: null }),
  'a replaced SCIM token': async () => {
    const { id } = await ada.call(createScimToken, { body: { name: 'T', expiresInDays: null } });
    return () => mal.send('POST', `/api/scim-tokens/${id}/rotate`, { overlapHours: 0 });
  },
  'an adopted SCIM token': async () => {
    const { id } = await ada.call(createScimToken, { body: { name: 'T', expiresInDays: null } });
    await app.owner.query(
      `update scim_tokens set orphaned_at = now(), expires_at = now() + interval '1 day'
       where id = $1`,
      [id],
    );
    return () => mal.send('POST', `/api/scim-tokens/${id}/adopt`);
  },
};
test.each(Object.entries(makings))(
  'R4-1, R4-9: %s waits for the removal of its creator, and is refused',
  async (_, prepare) => {
    const make = await prepare();
    // Another request of mal's in flight: it holds a shared lock on the membership.
    await app.owner.query('begin');
    await app.owner.query('select 1 from memberships where account_id = $1 for share', [
      mal.user.id,
    ]);
    const removing = ada.send('DELETE', `/api/users/${mal.user.id}`);
    await waitingForLocks(app);
    const making = make();
    await Promise.race([making, waitingForLocks(app, 2)]);
    await app.owner.query('commit');
    expect((await removing).status).toBe(204);
    expect([401, 403]).toContain((await making).status);
  },
);

test('a concurrent removal and acceptance both complete, in either order', async () => {
  for (let round = 0; round < 10; round += 1) {
    const leaver = await newMember(app, ada, 'ORGADMIN');
    const { accept, email } = await invited(leaver, 'AGENT');
    const [accepted] = await Promise.all([accept(), remove(leaver)]);
    expect([201, 410]).toContain(accepted.status);
    const { rows } = await app.owner.query(
      `select i.accepted_at is not null as accepted, i.cancelled_at is not null as canceled
       from invitations i where email = $1`,
      [email],
    );
    expect(rows).toEqual([
      { accepted: accepted.status === 201, canceled: accepted.status === 410 },
    ]);
  }
});

test('the database and the application agree on which role may invite which', async () => {
  for (const own of roles) {
    for (const given of roles) {
      const may = roleMay(own, 'team.manage') && (given !== 'SUPERADMIN' || own === 'SUPERADMIN');
      const { rows } = await app.owner.query('select may_invite_as($1, $2) as may', [own, given]);
      expect([own, given, rows[0]]).toEqual([own, given, { may }]);
    }
  }
});

test('R5-7: at most a thousand invitations are open, and removing their creator cancels them', async () => {
  await app.owner.query(
    `insert into invitations (id, org_id, email, role, token_hash, created_by, expires_at)
      select gen_random_uuid(), $1, 'many-' || n || '@example.com', 'AGENT',
        sha256(n::text::bytea || uuid_send($2)), $2, now() + interval '7 days'
      from generate_series(1, 999) n`,
    [ada.user.orgId, mal.user.id],
  );
  const last = await invited(mal, 'AGENT');
  const body = { email: address(), role: 'AGENT' };
  expect(await mal.send('POST', '/api/users/invite', body)).toMatchObject({
    status: 409,
    body: { code: 'too_many_invitations', message: expect.stringContaining('1,000') },
  });
  await mal.call(inviteUser, { body: { email: last.email, role: 'VIEWER' } });
  await remove(mal);
  expect(await open()).toEqual([]);
});
