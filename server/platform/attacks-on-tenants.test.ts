import { afterAll, beforeAll, expect, test } from 'vitest';
import { inviteUser } from '#domain/team/contract.ts';
import { fakeBilling } from '#server/testing/fake-billing.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { fileForm, newAddress, smallPng } from '#server/testing/requests.ts';
import {
  newMember,
  newOrganization,
  type Reply,
  runningCall,
  Visitor,
} from '#server/testing/visitor.ts';

/**
 * Attacks 1 to 13 of docs/attacks.md. The complete matrices are in tenant-wall.test.ts and
 * role-matrix.test.ts.
 */
let app: TestApp;
let ada: Awaited<ReturnType<typeof newOrganization>>;
let ben: typeof ada;
let bens: Awaited<ReturnType<typeof runningCall>>;
let benMember: typeof ada;
let invitation: { id: string; url: string; email: string };

beforeAll(async () => {
  app = await openTestApp({}, { billing: fakeBilling() });
  ada = await newOrganization(app);
  ben = await newOrganization(app);
  await runningCall(ada);
  bens = await runningCall(ben);
  benMember = await newMember(app, ben, 'AGENT');
  const email = newAddress();
  invitation = await ben.call(inviteUser, { body: { email, role: 'AGENT' } });
});
afterAll(() => app.close());

const nobodys = '01900000-0000-7000-8000-000000000000';
const essence = ({ status, body, headers }: Reply) => {
  const { 'x-request-id': _, date: __, ...rest } = headers;
  return JSON.stringify({ status, body, headers: rest });
};
const row = async (table: string, id: string) =>
  (await app.owner.query(`select * from ${table} where id = $1`, [id])).rows;

test('attack 1: another organization’s objects answer 404, byte for byte as an unknown id', async () => {
  await ben.send('POST', '/api/user/picture', fileForm(smallPng));
  const { body } = await ben.send('GET', '/api/user');
  const portrait = (body as { profileImageUrl: string }).profileImageUrl;
  const paths = (id: { room: string; call: string; playbook: string; file: string }) => [
    `/api/rooms/${id.room}`,
    `/api/calls/${id.call}`,
    `/api/calls/${id.call}/action-items`,
    `/api/playbooks/${id.playbook}`,
    `/api/privacy/person?userId=${id.room === bens.room.id ? benMember.user.id : nobodys}`,
    id.file,
  ];
  const theirs = {
    room: bens.room.id,
    call: bens.call.id,
    playbook: bens.playbook.id,
    file: portrait,
  };
  const unknown = {
    room: nobodys,
    call: nobodys,
    playbook: nobodys,
    file: `/portraits/${nobodys}.webp`,
  };
  for (const [at, path] of paths(theirs).entries()) {
    const foreign = await ada.send('GET', path);
    expect([path, foreign.status]).toEqual([path, 404]);
    expect(essence(foreign)).toBe(essence(await ada.send('GET', paths(unknown)[at] ?? '')));
  }
  // Events have no URL of their own, so check that the log shows none of the other organization.
  const log = await ada.send('GET', '/api/audit-events?limit=200');
  expect(JSON.stringify(log.body)).not.toContain(ben.user.id);
  expect((await ada.send('GET', `/api/audit-events?userId=${ben.user.id}`)).body).toEqual([]);
});

test('attack 2: writing another organization’s call, room or playbook answers 404', async () => {
  const things: [string, string][] = [
    ['rooms', bens.room.id],
    ['calls', bens.call.id],
    ['playbooks', bens.playbook.id],
  ];
  const before = JSON.stringify(await Promise.all(things.map(([table, id]) => row(table, id))));
  const edited = { title: 'x', checklistItems: [{ text: 'x' }], version: 1 };
  for (const [method, path, body] of [
    ['PATCH', `/api/rooms/${bens.room.id}`, { topic: 'taken' }],
    ['PUT', `/api/rooms/${bens.room.id}/archive`, undefined],
    ['POST', `/api/rooms/${bens.room.id}/guest-link`, undefined],
    ['PUT', `/api/calls/${bens.call.id}`, { npsScore: 0, notesSnapshot: 'taken' }],
    ['PUT', `/api/playbooks/${bens.playbook.id}`, edited],
  ] as const) {
    expect([path, (await ada.send(method, path, body)).status]).toEqual([path, 404]);
  }
  expect(JSON.stringify(await Promise.all(things.map(([table, id]) => row(table, id))))).toBe(
    before,
  );
});

test('attack 3: a POST that names another organization’s object answers 4xx, creates nothing', async () => {
  const conversationText = 'They love it. I will send the contract by Friday.';
  for (const [path, body] of [
    ['/api/calls', { roomId: bens.room.id }],
    ['/api/rooms', { topic: 'A', playbookId: bens.playbook.id }],
    ['/api/ai/analyze-sentiment', { callId: bens.call.id, conversationText }],
  ] as const) {
    const { status } = await ada.send('POST', path, body);
    expect([path, status >= 400 && status < 500]).toEqual([path, true]);
  }
  const made = await app.owner.query('select 1 from rooms where org_id = $1 and playbook_id = $2', [
    ada.user.orgId,
    bens.playbook.id,
  ]);
  expect(made.rows).toEqual([]);
});

test('attack 4: reading, changing or deleting another organization answers 404', async () => {
  const path = `/api/organizations/${ben.user.orgId}`;
  const body = { name: 'Taken', brandColor: '#000000', plan: 'starter' };
  expect((await ada.send('GET', path)).status).toBe(404);
  expect((await ada.send('PUT', path, body)).status).toBe(404);
  expect((await ada.send('POST', `${path}/deletion`, { name: 'Taken' })).status).toBe(404);
  expect((await ada.send('POST', `${path}/logo`, fileForm(smallPng))).status).toBe(404);
  expect((await row('organizations', ben.user.orgId ?? ''))[0].name).not.toBe('Taken');
});

test('attack 5: changing, removing or deleting another organization’s member answers 404', async () => {
  const { id } = benMember.user;
  expect((await ada.send('PUT', `/api/users/${id}/role`, { role: 'VIEWER' })).status).toBe(404);
  expect((await ada.send('DELETE', `/api/users/${id}`)).status).toBe(404);
  expect((await ada.send('POST', '/api/privacy/erase', { userId: id })).status).toBe(404);
  expect((await benMember.send('GET', '/api/user')).body).toMatchObject({ role: 'AGENT' });
});

test('attack 6: canceling or resending another organization’s invitation answers 404', async () => {
  expect((await ada.send('DELETE', `/api/invitations/${invitation.id}`)).status).toBe(404);
  expect((await ada.send('POST', `/api/invitations/${invitation.id}/resend`)).status).toBe(404);
  const token = invitation.url.split('/').at(-1);
  const reply = await new Visitor(app).send('GET', `/api/invitations/${token}`);
  expect(reply).toMatchObject({ status: 200, body: { email: invitation.email } });
});

test('attack 7: ?orgId and X-Org-Id are ignored, and totals count only the own organization', async () => {
  const org = `${ben.user.orgId}`;
  const headers = { 'x-org-id': org, 'x-organization-id': org, 'x-tenant': org };
  for (const path of [
    '/api/rooms',
    '/api/calls',
    '/api/users',
    '/api/audit-events',
    '/api/analytics',
    '/api/billing',
  ]) {
    const plain = await ada.send('GET', path);
    const chosen = await ada.send('GET', `${path}?orgId=${org}&org_id=${org}`, undefined, headers);
    expect([path, chosen.status, chosen.body]).toEqual([path, 200, plain.body]);
  }
  expect((await ada.send('GET', '/api/analytics')).body).toMatchObject({
    totalCalls: expect.any(Number),
  });
  expect((await ada.send('GET', '/api/calls')).body).toHaveLength(1);
});

test('attack 8: 60 interleaved requests of two tenants never mix their data', async () => {
  const replies = await Promise.all(
    Array.from({ length: 60 }, (_, turn) =>
      (turn % 2 ? ada : ben).send('GET', turn % 4 < 2 ? '/api/rooms' : '/api/users'),
    ),
  );
  for (const [turn, reply] of replies.entries()) {
    const [foreignRoom, foreignUser] =
      turn % 2 ? [bens.room.id, ben.user.id] : ['none', ada.user.id];
    const text = JSON.stringify(reply.body);
    expect([reply.status, text.includes(foreignRoom), text.includes(foreignUser)]).toEqual([
      200,
      false,
      false,
    ]);
  }
});

test('attack 9: role, orgId, id and plan in registration, acceptance and profile are ignored', async () => {
  const grab = { role: 'SUPERADMIN', orgId: ben.user.orgId, id: ben.user.id, plan: 'enterprise' };
  const person = { firstName: 'Eve', lastName: 'Eager', password: 'correct horse', ...grab };
  const eve = new Visitor(app);
  const registered = await eve.send('POST', '/api/register', { email: newAddress(), ...person });
  expect(registered).toMatchObject({ status: 201, body: { role: 'ORGADMIN' } });
  const user = registered.body as { orgId: string; id: string };
  expect([user.orgId, user.id]).not.toEqual(expect.arrayContaining([ben.user.orgId]));
  expect((await row('organizations', user.orgId))[0].plan).toBe('starter');
  await eve.send('PUT', '/api/user', { firstName: 'Eva', ...grab });
  expect((await eve.send('GET', '/api/user')).body).toMatchObject({
    ...user,
    firstName: 'Eva',
    role: 'ORGADMIN',
  });

  const email = newAddress();
  const { url } = await ada.call(inviteUser, { body: { email, role: 'VIEWER' } });
  const path = `/api/invitations/${url.split('/').at(-1)}/accept`;
  const accepted = await new Visitor(app).send('POST', path, { email, ...person });
  expect(accepted).toMatchObject({ status: 201, body: { role: 'VIEWER', orgId: ada.user.orgId } });
});

test('attack 10: an ORGADMIN who invites or promotes a SUPERADMIN gets 403', async () => {
  const member = await newMember(app, ada, 'AGENT');
  const invite = await ada.send('POST', '/api/users/invite', {
    email: newAddress(),
    role: 'SUPERADMIN',
  });
  const promote = await ada.send('PUT', `/api/users/${member.user.id}/role`, {
    role: 'SUPERADMIN',
  });
  const self = await ada.send('PUT', `/api/users/${ada.user.id}/role`, { role: 'SUPERADMIN' });
  expect([invite.status, promote.status]).toEqual([403, 403]);
  expect(self.status).toBeGreaterThanOrEqual(400);
  const { rows } = await app.owner.query(
    `select 1 from memberships where org_id = $1 and role = 'SUPERADMIN'`,
    [ada.user.orgId],
  );
  expect(rows).toEqual([]);
});

test('attack 11: AGENT and VIEWER get 403 from admin endpoints, and VIEWER from writes', async () => {
  const agent = await newMember(app, ada, 'AGENT');
  const viewer = await newMember(app, ada, 'VIEWER');
  const organization = `/api/organizations/${ada.user.orgId}`;
  for (const [method, path, body] of [
    ['GET', '/api/audit-events', undefined],
    ['GET', '/api/audit-events/export', undefined],
    ['GET', '/api/privacy', undefined],
    ['POST', '/api/users/invite', { email: newAddress(), role: 'AGENT' }],
    ['DELETE', `/api/users/${agent.user.id}`, undefined],
    ['PUT', organization, { name: 'X', brandColor: '#000000', plan: 'starter' }],
    ['POST', `${organization}/deletion`, { name: 'X' }],
    ['POST', '/api/get-or-create-subscription', undefined],
  ] as const) {
    for (const member of [agent, viewer])
      expect([path, (await member.send(method, path, body)).status]).toEqual([path, 403]);
  }
  for (const [path, body] of [
    ['/api/rooms', { topic: 'X' }],
    ['/api/playbooks', { title: 'X', checklistItems: [{ text: 'X' }] }],
  ] as const)
    expect([path, (await viewer.send('POST', path, body)).status]).toEqual([path, 403]);
});

test('attack 12: the last admin who demotes or removes themselves gets 4xx and stays admin', async () => {
  const path = `/api/users/${ada.user.id}`;
  for (const reply of [
    await ada.send('PUT', `${path}/role`, { role: 'VIEWER' }),
    await ada.send('DELETE', path),
  ]) {
    expect(reply.status >= 400 && reply.status < 500).toBe(true);
  }
  expect((await ada.send('GET', '/api/user')).body).toMatchObject({ role: 'ORGADMIN' });
});
