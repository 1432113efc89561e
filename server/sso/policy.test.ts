import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { closeCodes } from '#domain/calls/close-codes.ts';
import { openRoom } from '#domain/rooms/contract.ts';
import {
  assignDomain,
  claimDomain,
  readSso,
  updatePolicy,
  verifyDomain,
} from '#domain/sso/contract.ts';
import { changeRole, removeUser } from '#domain/team/contract.ts';
import { fakeBilling } from '#server/testing/fake-billing.ts';
import { enter } from '#server/testing/live-client.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { samlConnection } from '#server/testing/requests.ts';
import {
  asBegunBySso,
  fakeRecords,
  moveAddress,
  newColleague,
  newSsoOrganization,
  type SsoOrganization,
} from '#server/testing/sso-organization.ts';
import { newMember, newOrganization, runningCall, Visitor } from '#server/testing/visitor.ts';

const dns = fakeRecords();
let app: TestApp;
let acme: SsoOrganization;
let turns = 0;

beforeAll(async () => {
  app = await openTestApp();
  app.services.outside.txtRecords = dns.txtRecords;
});
beforeEach(async () => {
  turns += 1;
  acme = await newSsoOrganization(app, dns, `policy-${turns}.example`, 'saml');
});
afterAll(() => app.close());

const require = (breakGlass: string[], required = true) =>
  acme.admin.send('PUT', '/api/sso/policy', { required, breakGlass });
const signIn = (email: string) =>
  new Visitor(app).send('POST', '/api/login', { email, password: 'correct horse' });
const isIn = async (visitor: Visitor) => (await visitor.send('GET', '/api/user')).status === 200;

test('once single sign-on is required, signing in by password is refused, with what to do instead', async () => {
  const member = await newColleague(app, acme, 'AGENT');
  expect((await signIn(member.user.email)).status).toBe(200);
  expect((await require([acme.admin.user.id])).status).toBe(200);
  expect(await signIn(member.user.email)).toMatchObject({
    status: 403,
    body: {
      code: 'sso_required',
      message: 'Your organization uses single sign-on. Choose “Use single sign-on”.',
    },
  });
  // A wrong password gets no such hint.
  const body = { email: member.user.email, password: 'wrong horse' };
  expect((await new Visitor(app).send('POST', '/api/login', body)).status).toBe(401);
  expect((await require([acme.admin.user.id], false)).status).toBe(200);
  expect((await signIn(member.user.email)).status).toBe(200);
});

test('an admin sees how many members single sign-on cannot bind', async () => {
  await moveAddress(app, acme.admin, acme.domain);
  await newColleague(app, acme, 'AGENT');
  expect(await acme.admin.call(readSso)).toMatchObject({ unboundMembers: 0 });
  await newMember(app, acme.admin, 'AGENT');
  expect(await acme.admin.call(readSso)).toMatchObject({ unboundMembers: 1 });
});

test('G8: required single sign-on binds only members whose domain has a connection that is on', async () => {
  const claimed = await acme.admin.call(claimDomain, { body: { domain: `two-${turns}.example` } });
  dns.records.set(claimed.recordName, [claimed.recordText]);
  const params = { id: claimed.id };
  await acme.admin.call(verifyDomain, { params });
  await moveAddress(app, acme.admin, acme.domain);
  const member = await moveAddress(app, await newMember(app, acme.admin, 'AGENT'), claimed.domain);
  expect((await require([acme.admin.user.id])).status).toBe(200);
  expect((await signIn(member.user.email)).status).toBe(403);
  expect(await acme.admin.call(readSso)).toMatchObject({ unboundMembers: 0 });
  await acme.admin.call(assignDomain, { params, body: { connectionId: null } });
  expect((await signIn(member.user.email)).status).toBe(200);
  expect(await acme.admin.call(readSso)).toMatchObject({ unboundMembers: 1 });
});

test('requiring single sign-on ends sessions of other methods, and keeps single sign-on sessions', async () => {
  const password = await newColleague(app, acme, 'AGENT');
  const sso = await newColleague(app, acme, 'AGENT');
  const stranger = await newOrganization(app);
  await asBegunBySso(app, sso);
  await require([acme.admin.user.id]);
  expect(await isIn(password)).toBe(false);
  expect(await isIn(sso)).toBe(true);
  expect(await isIn(acme.admin)).toBe(true);
  expect(await isIn(stranger)).toBe(true);
});

test('requiring single sign-on ends the calls of members with other sessions, but not the acting admin’s', async () => {
  const url = await app.listen();
  const member = await newColleague(app, acme, 'AGENT');
  const { room } = await runningCall(acme.admin);
  const tokenOf = async (visitor: Visitor) =>
    (await visitor.call(openRoom, { params: { id: room.id } })).meetingToken;
  const [admins, members] = [
    await enter(url, await tokenOf(acme.admin)),
    await enter(url, await tokenOf(member)),
  ];
  const other = await newColleague(app, acme, 'ORGADMIN');
  expect((await require([other.user.id])).status).toBe(200);
  expect(await members.closed).toBe(closeCodes.tokenRefused);
  await admins.settled();
  expect(await isIn(acme.admin)).toBe(true);
});

test('an emergency admin can sign in by password, and the audit log records emergency admins', async () => {
  expect((await require([acme.admin.user.id])).status).toBe(200);
  expect((await signIn(acme.admin.user.email)).status).toBe(200);
  const { rows } = await app.owner.query(
    `select action, entity_id, metadata from audit_events where org_id = $1
     and action in ('BREAK_GLASS_ADDED', 'SSO_POLICY_UPDATED') order by id`,
    [acme.admin.user.orgId],
  );
  expect(rows).toEqual([
    { action: 'BREAK_GLASS_ADDED', entity_id: acme.admin.user.id, metadata: null },
    {
      action: 'SSO_POLICY_UPDATED',
      entity_id: acme.admin.user.orgId,
      metadata: { required: { from: false, to: true } },
    },
  ]);
});

describe('while single sign-on is required', () => {
  test('there must be an emergency admin', async () => {
    expect(await require([])).toMatchObject({ status: 409, body: { code: 'no_break_glass' } });
    expect(await isIn(acme.admin)).toBe(true);
  });

  test('an emergency admin must be an admin of the organization, with a password', async () => {
    const agent = await newColleague(app, acme, 'AGENT');
    expect(await require([agent.user.id])).toMatchObject({
      status: 409,
      body: { code: 'break_glass_unfit' },
    });
    const stranger = await newOrganization(app);
    expect((await require([stranger.user.id])).status).toBe(404);
    await app.owner.query('update accounts set password_hash = null where id = $1', [
      acme.admin.user.id,
    ]);
    expect((await require([acme.admin.user.id])).status).toBe(409);
  });

  test('the last emergency admin cannot be demoted, removed, or unmarked', async () => {
    await moveAddress(app, acme.admin, acme.domain);
    const other = await newColleague(app, acme, 'ORGADMIN');
    await acme.admin.call(updatePolicy, { body: { required: true, breakGlass: [other.user.id] } });
    // The session that made the change stays, but a new sign-in by password is refused.
    expect(await isIn(acme.admin)).toBe(true);
    expect((await signIn(acme.admin.user.email)).status).toBe(403);
    const { cookie } = await signedInBySso(acme.admin);
    acme.admin.cookie = cookie;
    const path = changeRole.path.replace(':userId', other.user.id);
    const demoted = await acme.admin.send('PUT', path, { role: 'AGENT' });
    expect(demoted).toMatchObject({ status: 409, body: { code: 'no_break_glass' } });
    const gone = await acme.admin.send('DELETE', removeUser.path.replace(':id', other.user.id));
    expect(gone).toMatchObject({ status: 409, body: { code: 'no_break_glass' } });
    expect(await require([])).toMatchObject({ status: 409 });
  });

  test('the last connection and the last domain cannot be removed', async () => {
    await require([acme.admin.user.id]);
    const { connection } = acme;
    const overview = await acme.admin.send('GET', '/api/sso');
    const { domains } = overview.body as { domains: { id: string }[] };
    const off = samlConnection({ enabled: false });
    for (const [method, path, body] of [
      ['DELETE', `/api/sso/connections/${connection.id}`, undefined],
      ['PUT', `/api/sso/connections/${connection.id}`, off],
      ['DELETE', `/api/sso/domains/${domains[0]?.id}`, undefined],
    ] as const) {
      expect(await acme.admin.send(method, path, body)).toMatchObject({
        status: 409,
        body: { code: 'sso_not_usable' },
      });
    }
  });

  test('the operator can still sign in by password', async () => {
    const operator = await newColleague(app, acme, 'SUPERADMIN');
    await require([acme.admin.user.id]);
    expect(await isIn(operator)).toBe(true);
    expect((await signIn(operator.user.email)).status).toBe(200);
  });
});

test('single sign-on cannot be required before it is usable', async () => {
  const admin = await newOrganization(app);
  const body = { required: true, breakGlass: [admin.user.id] };
  expect(await admin.send('PUT', '/api/sso/policy', body)).toMatchObject({
    status: 409,
    body: { code: 'sso_not_usable' },
  });
});

test('with billing, setting up single sign-on is free and switching it on needs Enterprise', async () => {
  const paid = await openTestApp({}, { billing: fakeBilling() });
  paid.services.outside.txtRecords = dns.txtRecords;
  await expect(newSsoOrganization(paid, dns, 'paid.example', 'saml')).rejects.toThrow(
    'plan_limit_sso',
  );
  await paid.owner.query(`update organizations set plan = 'enterprise'`);
  const admin = await newOrganization(paid);
  const body = { required: true, breakGlass: [] };
  expect((await admin.send('PUT', '/api/sso/policy', body)).status).toBe(402);
  await paid.close();
});

/** Signs in again, and returns a session that began by single sign-on. */
async function signedInBySso(visitor: SsoOrganization['admin']): Promise<Visitor> {
  await app.owner.query('delete from sso_policies where org_id = $1', [visitor.user.orgId]);
  const again = new Visitor(app);
  const body = { email: visitor.user.email, password: 'correct horse' };
  await again.send('POST', '/api/login', body);
  await asBegunBySso(app, visitor);
  await app.owner.query('insert into sso_policies (org_id, required_at) values ($1, now())', [
    visitor.user.orgId,
  ]);
  return again;
}
