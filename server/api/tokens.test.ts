import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createApiToken,
  createOrganizationToken,
  listOrganizationTokens,
} from '#domain/api/contract.ts';
import { listCalls, updateCall } from '#domain/calls/contract.ts';
import { createRoom, listRooms } from '#domain/rooms/contract.ts';
import { removeUser } from '#domain/team/contract.ts';
import { sendDueMails } from '#server/mail/send-mails.ts';
import { deleteDueOrganizations } from '#server/privacy/delete-organization.ts';
import { allContracts } from '#server/testing/contracts.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { requestOf, unknownThings } from '#server/testing/requests.ts';
import { organizationToken, personalToken, program } from '#server/testing/token-things.ts';
import { newMember, newOrganization, runningCall } from '#server/testing/visitor.ts';
import { lockWaiters, waitingForLocks } from '#server/testing/waiting-for-locks.ts';
import { newApiToken } from './token-text.ts';

let app: TestApp;
let ada: Awaited<ReturnType<typeof newOrganization>>;
beforeAll(async () => {
  app = await openTestApp();
  ada = await newOrganization(app);
});
afterAll(() => app.close());

const refused = {
  status: 401,
  body: { code: 'invalid_token' },
  headers: { 'www-authenticate': 'Bearer realm="Rapport", error="invalid_token"' },
};

test('a token reads and changes what its scopes name, and the log says whose token it was', async () => {
  const { id, token } = await personalToken(ada, ['rooms:read', 'rooms:write']);
  const send = program(app, token);
  const made = await send('POST', '/api/rooms', { topic: 'By a script' });
  expect(made).toMatchObject({ status: 201, body: { createdBy: { email: ada.user.email } } });
  expect(await send('GET', '/api/rooms')).toMatchObject({
    status: 200,
    body: [{ topic: 'By a script' }],
  });
  const { rows } = await app.owner.query(
    "select actor_kind, actor_id, metadata from audit_events where org_id = $1 and action = 'ROOM_CREATED'",
    [ada.user.orgId],
  );
  expect(rows).toMatchObject([
    { actor_kind: 'user', actor_id: ada.user.id, metadata: { apiToken: id } },
  ]);
  expect(await send('GET', '/api/calls')).toMatchObject({
    status: 403,
    body: { code: 'insufficient_scope', details: 'The missing scope is calls:read.' },
    headers: {
      'www-authenticate': 'Bearer realm="Rapport", error="insufficient_scope", scope="calls:read"',
    },
  });
});

test('a token of the organization acts as the organization', async () => {
  const { call } = await runningCall(ada);
  const { id, token } = await organizationToken(ada, ['rooms:write', 'calls:write']);
  const send = program(app, token);
  const made = await send('POST', createRoom.path, { topic: 'From the CRM' });
  expect(made).toMatchObject({ status: 201, body: { createdBy: null } });
  const scored = await send('PUT', updateCall.path.replace(':id', call.id), { npsScore: 9 });
  expect(scored).toMatchObject({ status: 200, body: { npsScore: 9 } });
  const { rows } = await app.owner.query(
    'select distinct actor_kind from audit_events where org_id = $1 and actor_id = $2',
    [ada.user.orgId, id],
  );
  expect(rows).toEqual([{ actor_kind: 'token' }]);
});

test('R17-2: admins see which tokens of the organization a former admin has made', async () => {
  const eve = await newMember(app, ada, 'ORGADMIN');
  const made = await organizationToken(eve, ['calls:read']);
  const isOfAdmin = async () =>
    (await ada.call(listOrganizationTokens, {})).find(({ id }) => id === made.id)?.isOfAdmin;
  expect(await isOfAdmin()).toBe(true);
  await ada.call(removeUser, { params: { id: eve.user.id } });
  expect(await isOfAdmin()).toBe(false);
});

test('R17-6: whoever makes a token is told by mail, since a new password does not end it', async () => {
  const eve = await newMember(app, ada, 'ORGADMIN');
  await personalToken(eve, ['calls:read']);
  await organizationToken(eve, ['calls:read']);
  await sendDueMails(app.services);
  const told = app.mails.filter(({ to }) => to === eve.user.email);
  expect(told.map(({ subject }) => subject)).toEqual([
    'An API token was created with your Rapport account',
    'An API token was created with your Rapport account',
  ]);
});

test('only its hash is stored, and it is never listed', async () => {
  const { token } = await personalToken(ada, ['rooms:read']);
  const { rows } = await app.owner.query('select t::text as row from api_tokens t');
  expect(JSON.stringify(rows)).not.toContain(token.slice(4));
  for (const path of ['/api/user/tokens', '/api/organization-tokens']) {
    const { status, body } = await ada.send('GET', path);
    expect(status).toBe(200);
    expect(JSON.stringify(body)).not.toContain(token);
  }
});

test('a token that is mistyped, unknown, expired, or revoked is refused', async () => {
  const { id, token } = await personalToken(ada, ['rooms:read']);
  const last = token.endsWith('A') ? 'B' : 'A';
  const { counts } = app.services.database;
  const before = counts.statements;
  for (const wrong of [
    `${token.slice(0, -1)}${last}`,
    `${token}A`,
    'rpt_',
    'else',
    'x'.repeat(9000),
  ])
    expect(await program(app, wrong)('GET', '/api/rooms')).toMatchObject(refused);
  expect(counts.statements).toBe(before);
  expect(await program(app, newApiToken().token)('GET', '/api/rooms')).toMatchObject(refused);
  expect((await program(app, token)('GET', '/api/rooms')).status).toBe(200);
  await app.owner.query('update api_tokens set expires_at = now() where id = $1', [id]);
  expect(await program(app, token)('GET', '/api/rooms')).toMatchObject(refused);
  const other = await personalToken(ada, ['rooms:read']);
  expect((await ada.send('DELETE', `/api/user/tokens/${other.id}`)).status).toBe(204);
  expect(await program(app, other.token)('GET', '/api/rooms')).toMatchObject(refused);
  const { rows } = await app.owner.query(
    'select action, metadata from audit_events where entity_id = $1 order by id',
    [other.id],
  );
  expect(rows).toMatchObject([
    { action: 'API_TOKEN_CREATED', metadata: { scopes: ['rooms:read'], isPersonal: true } },
    { action: 'API_TOKEN_REVOKED' },
  ]);
});

test('a personal token has its person’s role, and ends with the membership but not by signing out', async () => {
  const member = await newMember(app, ada, 'AGENT');
  const { token } = await personalToken(member, ['rooms:read', 'rooms:write', 'webhooks:write']);
  const send = program(app, token);
  expect((await send('GET', '/api/webhooks')).status).toBe(403);
  await member.send('POST', '/api/logout');
  expect((await send('POST', '/api/rooms', { topic: 'Still mine' })).status).toBe(201);
  await ada.send('PUT', `/api/users/${member.user.id}/role`, { role: 'VIEWER' });
  expect(await send('POST', '/api/rooms', { topic: 'No more' })).toMatchObject({
    status: 403,
    body: { code: 'forbidden' },
  });
  await ada.call(removeUser, { params: { id: member.user.id } });
  expect(await send('GET', '/api/rooms')).toMatchObject(refused);
});

test('what a token had sent before it was revoked is not stored afterwards', async () => {
  const { id, token } = await personalToken(ada, ['rooms:write']);
  const { id: room } = await ada.call(createRoom, { body: { topic: 'Kept' } });
  await app.owner.query('begin');
  await app.owner.query('select from rooms where id = $1 for update', [room]);
  const changing = program(app, token)('PATCH', `/api/rooms/${room}`, { topic: 'Late' });
  await waitingForLocks(app);
  await ada.send('DELETE', `/api/user/tokens/${id}`);
  await app.owner.query('rollback');
  expect(await changing).toMatchObject(refused);
  const { body } = await ada.send('GET', `/api/rooms/${room}/summary`);
  expect(body).toMatchObject({ topic: 'Kept' });
});

test('required factors hold for tokens: one that a weaker session made is refused', async () => {
  const carl = await newOrganization(app);
  const { token } = await personalToken(carl, ['rooms:read']);
  await app.owner.query(
    'insert into sign_in_policies (org_id, two_factor_required_at) values ($1, now())',
    [carl.user.orgId],
  );
  expect(await program(app, token)('GET', '/api/rooms')).toMatchObject({
    status: 403,
    body: { code: 'token_without_factor' },
  });
});

test('a bearer token replaces the cookie, and needs no check of the origin', async () => {
  const bob = await newOrganization(app);
  const { token } = await personalToken(bob, ['rooms:read', 'rooms:write']);
  const headers = { authorization: `Bearer ${token}`, origin: 'https://elsewhere.example' };
  const made = await ada.send('POST', '/api/rooms', { topic: 'Bob’s' }, headers);
  expect(made).toMatchObject({ status: 201, body: { createdBy: { email: bob.user.email } } });
  const wrong = { authorization: 'Bearer rpt_wrong' };
  expect(await ada.send('GET', '/api/rooms', undefined, wrong)).toMatchObject(refused);
});

test('a token never reaches another organization', async () => {
  const bob = await newOrganization(app);
  const { room, call } = await runningCall(ada);
  const { token } = await organizationToken(bob, ['rooms:read', 'calls:read']);
  const send = program(app, token);
  expect((await send('GET', `/api/rooms/${room.id}/summary`)).status).toBe(404);
  expect((await send('GET', `/api/calls/${call.id}`)).status).toBe(404);
  expect((await send('GET', listRooms.path)).body).toEqual([]);
  expect((await send('GET', listCalls.path)).body).toEqual([]);
  const { id } = await personalToken(ada, ['rooms:read']);
  expect((await bob.send('DELETE', `/api/organization-tokens/${id}`)).status).toBe(404);
});

test('members make no tokens of the organization, and end only their own', async () => {
  const member = await newMember(app, ada, 'AGENT');
  const body = { name: 'Mine', scopes: ['rooms:read'], expiresInDays: 30 };
  expect((await member.send('POST', createOrganizationToken.path, body)).status).toBe(403);
  const { id } = await personalToken(ada, ['rooms:read']);
  expect((await member.send('DELETE', `/api/user/tokens/${id}`)).status).toBe(404);
  const embedding = { ...body, scopes: ['rooms:embed'] };
  expect((await member.send('POST', createApiToken.path, embedding)).status).toBe(400);
});

/** What a stolen token must not reach, whatever its scopes. */
const closed =
  /^\/api\/(auth|user|sso|scim|billing|get-or-create|privacy|audit|tokens|organization-tokens|sign-in|invitations|organizations|ai|recordings|getting-started|samples)(\/|$)|^\/api\/users\/.+/;

test('a route without a scope refuses every token, and so do those that decide who may enter', async () => {
  const all = await organizationToken(ada, [
    ...(['rooms:read', 'rooms:write', 'rooms:embed', 'calls:read', 'calls:write'] as const),
    ...([
      'playbooks:read',
      'playbooks:write',
      'team:read',
      'analytics:read',
      'webhooks:write',
    ] as const),
  ]);
  const send = program(app, all.token);
  const contracts = (await allContracts()).filter(({ permission }) => permission !== 'public');
  expect(contracts.filter(({ path, scope }) => closed.test(path) && scope)).toEqual([]);
  for (const contract of contracts.filter(({ scope }) => scope === undefined)) {
    const { method, url, body } = requestOf(contract, unknownThings);
    const plain = body instanceof FormData ? undefined : body;
    const { status, body: said } = await send(method, url, plain);
    expect([method, url, status, said]).toMatchObject([method, url, 403, { code: 'no_api_token' }]);
  }
});

test('R22-1: tokens of an organization that is being deleted keep no session waiting', async () => {
  const eve = await newOrganization(app);
  const { orgId } = eve.user;
  const tokens = await Promise.all(
    Array.from({ length: 8 }, () => organizationToken(eve, ['rooms:read'])),
  );
  await app.owner.query(
    `insert into organization_deletions (org_id, requested_at, due_at)
      values ($1, now() - interval '8 days', now() - interval '1 day')`,
    [orgId],
  );
  // What is deleted last, so that the deletion takes as long as one of many rows.
  await app.owner.query('begin');
  await app.owner.query('select from organizations where id = $1 for key share', [orgId]);
  try {
    const deletion = deleteDueOrganizations(app.services);
    await expect.poll(() => lockWaiters(app)).toBe(1);
    const used = tokens.map(({ token }) => program(app, token)('GET', listRooms.path));
    const asked = await Promise.all([1, 2, 3].map(() => ada.send('GET', listRooms.path)));
    expect(asked.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await lockWaiters(app)).toBe(1);
    expect(await Promise.all(used)).toMatchObject(tokens.map(() => refused));
    await app.owner.query('commit');
    await deletion;
  } finally {
    await app.owner.query('rollback');
  }
});

test('R23-B1: tokens of a member who is being removed keep no session waiting', async () => {
  const eve = await newOrganization(app);
  const mo = await newMember(app, eve, 'AGENT');
  const tokens = await Promise.all(
    Array.from({ length: 8 }, () => personalToken(mo, ['rooms:read'])),
  );
  // What a removal changes after it has deleted the tokens.
  await app.owner.query('begin');
  await app.owner.query('select from scim_users where org_id = $1 and account_id = $2 for update', [
    eve.user.orgId,
    mo.user.id,
  ]);
  try {
    const removal = eve.call(removeUser, { params: { id: mo.user.id } });
    await expect.poll(() => lockWaiters(app)).toBe(1);
    const used = tokens.map(({ token }) => program(app, token)('GET', listRooms.path));
    await expect.poll(() => lockWaiters(app)).toBeGreaterThan(1);
    const asked = await Promise.all([1, 2, 3].map(() => ada.send('GET', listRooms.path)));
    expect(asked.map(({ status }) => status)).toEqual([200, 200, 200]);
    // They were answered while the removal waited.
    expect(await lockWaiters(app)).toBeGreaterThan(1);
    await app.owner.query('commit');
    await removal;
    expect(await Promise.all(used)).toMatchObject(tokens.map(() => refused));
  } finally {
    await app.owner.query('rollback');
  }
});
