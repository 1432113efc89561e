import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { register } from '#domain/auth/contract.ts';
import { startCall } from '#domain/calls/contract.ts';
import type { OrgId } from '#domain/ids.ts';
import { createRoom } from '#domain/rooms/contract.ts';
import { inviteUser, removeUser } from '#domain/team/contract.ts';
import { buildApp } from '#server/app.ts';
import { requestReset } from '#server/auth/reset-password.ts';
import { isTimedOut } from '#server/platform/database-errors.ts';
import { requestTimeouts } from '#server/platform/database-timeouts.ts';
import { Directory, ownDomain } from '#server/testing/directory.ts';
import { mailedToken } from '#server/testing/mailed-token.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newMember, newOrganization, signInAgain, Visitor } from '#server/testing/visitor.ts';
import { lockWaiters, waitingForLocks } from '#server/testing/waiting-for-locks.ts';
import { finishErasures } from './finish-erasures.ts';

// Members keep rows of their organization locked. That delays neither the end of their rights nor an owner of an
// address.

let app: TestApp;
/** With short lock timeouts, so that a test is refused quickly. */
let impatient: TestApp;
beforeAll(async () => {
  app = await openTestApp({ PUBLIC_URL: 'https://calls.example.com' });
  const database = app.openDatabase(10, { ...requestTimeouts, lock_timeout: 1000 });
  const services = { ...app.services, database };
  impatient = { ...app, services, http: await buildApp(services, { pagesDir: null }) };
});
afterAll(async () => {
  await impatient.http.close();
  await impatient.services.database.close();
  await app.close();
});

type Person = Awaited<ReturnType<typeof newOrganization>>;
const password = 'correct horse';
const deleteAccount = (one: Person) =>
  one.send('POST', '/api/user/delete', { email: one.user.email, password });

async function one<Row extends pg.QueryResultRow>(sql: string, ...values: unknown[]) {
  return (await app.owner.query<Row>(sql, values)).rows[0];
}
const accountsAt = (email: string) =>
  one('select count(*)::int as count from accounts where email = $1', email);
const rowsOf = (id: string) => one('select count(*)::int as count from accounts where id = $1', id);

/** An agent who started a call, whose row is locked until `release` is called. */
async function agentOfLockedCall() {
  const ada = await newOrganization(app);
  const agent = await newMember(app, ada, 'AGENT');
  const { id: roomId } = await ada.call(createRoom, { body: { topic: 'Room' } });
  const { id: callId } = await agent.call(startCall, { body: { roomId } });
  const client = new pg.Client(app.ownerLogin);
  await client.connect();
  await client.query('begin');
  await client.query('select 1 from calls where id = $1 for update', [callId]);
  const release = async () => {
    await client.query('commit');
    await client.end();
  };
  const starter = () => one('select started_by as by from calls where id = $1', callId);
  return { ada, agent, callId, starter, release };
}

/**
 * A transaction of the organization that locks rows, and then waits for a lock of the owner's connection.
 * `release` ends the owner's, and returns how the transaction ended.
 */
async function holdAsMember(orgId: string | null, table: string, key: string, id: string) {
  const waitsFor = (await newOrganization(app)).user.id;
  await app.owner.query('begin');
  await app.owner.query('select 1 from accounts where id = $1 for update', [waitsFor]);
  const lock = (name: string, of: string, column: string) => ({
    name: `${name}_${of}`,
    text: `select 1 from ${of} where ${column} = $1 for update`,
  });
  const holding = app.services.database
    .transaction(orgId as OrgId, async ({ run }) => {
      await run(lock('hold', table, key), [id]);
      await run(lock('wait', 'accounts', 'id'), [waitsFor]);
    })
    .then(
      () => null,
      (error: unknown) => error,
    );
  await waitingForLocks(app);
  return async () => {
    await app.owner.query('commit');
    return holding;
  };
}

test('R11A-1: a member whose call others keep locked is gone at once, and keeps no admin from a removal', async () => {
  const { ada, agent, starter, release } = await agentOfLockedCall();
  const other = await newMember(app, ada, 'AGENT');
  const { cookie } = agent;
  const deleting = deleteAccount(agent);
  const removed = ada.send('DELETE', `/api/users/${other.user.id}`);
  const [gone, ofOther] = await Promise.all([deleting, removed]);
  agent.cookie = cookie;
  const session = await agent.send('GET', '/api/user');
  const left = await accountsAt(agent.user.email);
  // The locked row delays what is erased in the organization.
  await finishErasures(app.services);
  const before = await starter();
  await release();
  await finishErasures(app.services);
  expect([gone.status, ofOther.status, session.status, left]).toEqual([
    204,
    204,
    401,
    { count: 0 },
  ]);
  expect(before).toEqual({ by: agent.user.id });
  expect([await starter(), await rowsOf(agent.user.id)]).toEqual([{ by: null }, { count: 0 }]);
});

test('R11A-1: an admin who erases a member waits for no rows of theirs, and what is held back is erased later', async () => {
  const { ada, agent, starter, release } = await agentOfLockedCall();
  const erased = await ada.send('POST', '/api/privacy/erase', { userId: agent.user.id });
  const before = await starter();
  await release();
  await finishErasures(app.services);
  expect(erased).toMatchObject({ status: 200, body: { erased: 1 } });
  expect([before, await starter()]).toEqual([{ by: agent.user.id }, { by: null }]);
  expect(await signInAgain(agent)).toMatchObject({ orgId: null });
});

test('R11A-1: a person who came back before the erasure is finished stays', async () => {
  const { ada, agent, release } = await agentOfLockedCall();
  await ada.send('POST', '/api/privacy/erase', { userId: agent.user.id });
  await app.owner.query(
    `insert into memberships (org_id, account_id, role) values ($1, $2, 'AGENT')`,
    [ada.user.orgId, agent.user.id],
  );
  await release();
  await finishErasures(app.services);
  expect(await signInAgain(agent)).toMatchObject({ orgId: ada.user.orgId, role: 'AGENT' });
});

test('R11A-1: who leaves waits only briefly for rows that others lock, so that admins go on meanwhile', async () => {
  const ada = await newOrganization(impatient);
  const agent = await newMember(app, ada, 'AGENT');
  await agent.send('GET', '/api/personal-room');
  const { url } = await (await newOrganization(app)).call(inviteUser, {
    body: { email: agent.user.email, role: 'AGENT' },
  });
  await app.owner.query('begin');
  await app.owner.query('select 1 from rooms where personal_of = $1 for update', [agent.user.id]);
  let isOver = false;
  const leaving = agent
    .send('POST', '/api/user/membership', {
      invitation: url.split('/').at(-1),
      leaveOrganization: true,
    })
    .finally(() => {
      isOver = true;
    });
  // Each takes the lock on the admins.
  const invited = new Set<number>();
  for (let n = 0; !isOver; n += 1) {
    const body = { email: `guest-${n}@example.com`, role: 'AGENT' };
    invited.add((await ada.send('POST', '/api/users/invite', body)).status);
  }
  const left = await leaving;
  await app.owner.query('commit');
  expect(left).toMatchObject({ status: 409, body: { code: 'changed_elsewhere' } });
  expect([...invited]).toEqual([201]);
});

test.each([
  ['removal', 'DELETE', '', undefined, 204],
  ['demotion', 'PUT', '/role', { role: 'VIEWER' }, 200],
  ['sign-out', 'DELETE', '/sessions', undefined, 204],
] as const)(
  'R11A-1: a %s overrules a transaction that keeps the admins locked',
  async (_, method, path, body, status) => {
    const ada = await newOrganization(impatient);
    const agent = await newMember(app, ada, 'AGENT');
    const release = await holdAsMember(ada.user.orgId, 'memberships', 'account_id', ada.user.id);
    const answer = await ada.send(method, `/api/users/${agent.user.id}${path}`, body);
    const ended = await release();
    expect(answer).toMatchObject({ status });
    expect(ended).toSatisfy(isTimedOut);
  },
);

test('R11A-1: a deactivation by the directory overrules a transaction that keeps the admins locked', async () => {
  const ada = await newOrganization(impatient);
  const agent = await newMember(app, ada, 'AGENT');
  const directory = await Directory.of(impatient, ada);
  const release = await holdAsMember(ada.user.orgId, 'memberships', 'account_id', ada.user.id);
  const answer = await directory.ask('DELETE', `/Users/${agent.user.id}`);
  const ended = await release();
  expect(answer).toMatchObject({ status: 204 });
  expect(ended).toSatisfy(isTimedOut);
});

test('R11A-2: an account whose former organization keeps its calls locked frees its address at once', async () => {
  const { ada, agent, starter, release } = await agentOfLockedCall();
  const { id, email } = agent.user;
  await ada.call(removeUser, { params: { id } });
  await signInAgain(agent);
  const gone = await deleteAccount(agent);
  const names = { firstName: 'Grace', lastName: 'Hopper' };
  const owner = await new Visitor(app).send('POST', '/api/register', { email, password, ...names });
  const before = await starter();
  await release();
  await finishErasures(app.services);
  expect([gone.status, owner.status, before]).toEqual([204, 201, { by: id }]);
  expect([await starter(), await rowsOf(id)]).toEqual([{ by: null }, { count: 0 }]);
  expect(await accountsAt(email)).toEqual({ count: 1 });
});

test('R11A-2: the former organization of a reclaimed account cannot keep its owner from accepting an invitation', async () => {
  const { agent, release } = await agentOfLockedCall();
  const boss = await newOrganization(app);
  await ownDomain(app, boss, 'owned.example');
  const email = 'invited@owned.example';
  await app.owner.query('delete from memberships where account_id = $1', [agent.user.id]);
  await app.owner.query('update accounts set email = $2, email_verified_at = null where id = $1', [
    agent.user.id,
    email,
  ]);
  const { url } = await boss.call(inviteUser, { body: { email, role: 'AGENT' } });
  const token = url.split('/').at(-1);
  const person = { email, password, firstName: 'Grace', lastName: 'Hopper' };
  const accepted = await new Visitor(app).send('POST', `/api/invitations/${token}/accept`, person);
  await release();
  await finishErasures(app.services);
  expect(accepted).toMatchObject({ status: 201 });
  expect(await rowsOf(agent.user.id)).toEqual({ count: 0 });
});

test.each([
  ['reset', 'reset-password', { password }, 200],
  ['verification', 'verify-email', undefined, 200],
] as const)(
  'R11A-2: a mailed %s link overrules a transaction that keeps the account locked',
  async (_, path, body, status) => {
    const email = `owner-of-${path}@example.com`;
    const names = { firstName: 'Grace', lastName: 'Hopper' };
    const user = await new Visitor(app).call(register, { body: { email, password, ...names } });
    const owner = new Visitor(impatient);
    await owner.send('POST', '/api/forgot-password', { email: user.email });
    const token = await mailedToken(app, user.email, path);
    const release = await holdAsMember(user.orgId, 'accounts', 'id', user.id);
    const answer = await owner.send('POST', `/api/${path}/${token}`, body);
    const ended = await release();
    expect(answer).toMatchObject({ status });
    expect(ended).toSatisfy(isTimedOut);
  },
);

test('R11A-2: a reset mail that could not be stored because the account was locked is tried again', async () => {
  const { user } = await newOrganization(app);
  const { database } = impatient.services;
  await app.owner.query('begin');
  await app.owner.query('select 1 from accounts where id = $1 for update', [user.id]);
  const { statements } = database.counts;
  const requesting = requestReset(database, user.email, 'https://calls.example.com', true);
  // The first try is over once its transaction was rolled back and the next one begins.
  while (database.counts.statements < statements + 5) await lockWaiters(app);
  await app.owner.query('commit');
  await requesting;
  expect(await mailedToken(app, user.email, 'reset-password')).toEqual(expect.any(String));
});

test('R12-2: an invitation and work that come after an erasure was requested survive it', async () => {
  const { ada, agent, callId, release } = await agentOfLockedCall();
  await ada.send('POST', '/api/privacy/erase', { userId: agent.user.id });
  const { url } = await ada.call(inviteUser, { body: { email: agent.user.email, role: 'AGENT' } });
  await signInAgain(agent);
  const joined = await agent.send('POST', '/api/user/membership', {
    invitation: url.split('/').at(-1),
  });
  expect(joined.status).toBe(200);
  const { id: roomId } = await ada.call(createRoom, { body: { topic: 'Second' } });
  const { id: newCall } = await agent.call(startCall, { body: { roomId } });
  const rating = { npsScore: 9, npsFeedback: 'Very good' };
  await agent.send('PUT', `/api/calls/${newCall}`, rating);
  await release();
  await finishErasures(app.services);
  const workOf = (id: string) =>
    one(
      `select c.started_by is not null as started, r.feedback
        from calls c left join ratings r on r.call_id = c.id where c.id = $1`,
      id,
    );
  expect(await workOf(callId)).toEqual({ started: false, feedback: null });
  expect(await workOf(newCall)).toEqual({ started: true, feedback: 'Very good' });
});

test('R12-2: an invitation of an erased person waits for the end of the erasure unharmed', async () => {
  const { ada, agent, release } = await agentOfLockedCall();
  await ada.send('POST', '/api/privacy/erase', { userId: agent.user.id });
  const { url } = await ada.call(inviteUser, { body: { email: agent.user.email, role: 'AGENT' } });
  await release();
  await finishErasures(app.services);
  const path = `/api/invitations/${url.split('/').at(-1)}`;
  expect((await new Visitor(app).send('GET', path)).status).toBe(200);
});
