import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { login, logout } from '#domain/auth/contract.ts';
import { closeCodes } from '#domain/calls/close-codes.ts';
import { erasePerson } from '#domain/privacy/contract.ts';
import { changePassword, endOtherSessions } from '#domain/profile/contract.ts';
import { openRoom } from '#domain/rooms/contract.ts';
import { changeRole, endUserSessions, removeUser } from '#domain/team/contract.ts';
import { buildApp } from '#server/app.ts';
import { forgetFactors } from '#server/operator/forget-factors.ts';
import { lateMs } from '#server/platform/authority.ts';
import { inProcessBus } from '#server/platform/live-bus.ts';
import { listenerName } from '#server/platform/revocations.ts';
import { readMeetingToken } from '#server/rooms/meeting-token.ts';
import { Directory, patchOf } from '#server/testing/directory.ts';
import { type Entered, enter, enterPanel, refusedHello } from '#server/testing/live-client.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newMember, newOrganization, runningCall, Visitor } from '#server/testing/visitor.ts';
import { endExpired, readmit } from './follow-revocations.ts';

let app: TestApp;
let url: string;
let ada: Awaited<ReturnType<typeof newOrganization>>;
let bea: Awaited<ReturnType<typeof newMember>>;
let room: string;
beforeAll(async () => {
  app = await openTestApp();
  url = await app.listen();
});
beforeEach(async () => {
  ada = await newOrganization(app);
  bea = await newMember(app, ada, 'AGENT');
  room = (await runningCall(ada)).room.id;
});
afterAll(() => app.close());

const tokenOf = async (visitor: Visitor) =>
  (await visitor.call(openRoom, { params: { id: room } })).meetingToken;
const signIn = async (email: string) => {
  const visitor = new Visitor(app);
  await visitor.call(login, { body: { email, password: 'correct horse' } });
  return visitor;
};
/** A person in the call, with page and panel, and an unused meeting token. */
async function inCall(visitor: Visitor, at = url) {
  const token = await tokenOf(visitor);
  const page = await enter(at, token);
  return { page, panel: await enterPanel(at, token), unused: await tokenOf(visitor) };
}
async function expectAllOver(
  { page, panel, unused }: { page: Entered; panel: Entered; unused: string },
  code: number = closeCodes.tokenRefused,
) {
  expect(await page.closed).toBe(code);
  expect(await panel.closed).toBe(code);
  expect(await refusedHello(url, { token: page.welcome.token })).toBe(code);
  expect(await refusedHello(url, { token: unused })).toBe(code);
}
const stays = async ({ page }: { page: Entered }) => void (await page.settled());

describe('the sockets and meeting tokens of a session end with it, and those of no other session, on', () => {
  test('sign-out', async () => {
    const laptop = await inCall(bea);
    const phone = await signIn(bea.user.email);
    const other = await inCall(phone);
    await phone.call(logout);
    await expectAllOver(other);
    await stays(laptop);
  });

  test('R8-3: an organization requires two factors, which one of its members has', async () => {
    const [adas, beas] = [await inCall(ada), await inCall(bea)];
    await app.owner.query('update sessions set two_factors = true where account_id = $1', [
      ada.user.id,
    ]);
    await app.owner.query(
      'insert into sign_in_policies (org_id, two_factor_required_at) values ($1, now())',
      [ada.user.orgId],
    );
    await expectAllOver(beas);
    await stays(adas);
    await app.owner.query('update sessions set two_factors = false where account_id = $1', [
      ada.user.id,
    ]);
    await expectAllOver(adas);
  });

  test('an admin signs a member out everywhere', async () => {
    const adas = await inCall(ada);
    const [one, two] = [await inCall(bea), await inCall(await signIn(bea.user.email))];
    await ada.call(endUserSessions, { params: { id: bea.user.id } });
    await expectAllOver(one);
    await expectAllOver(two);
    await stays(adas);
  });

  test('a person signs out the other sessions', async () => {
    const own = await inCall(bea);
    const other = await inCall(await signIn(bea.user.email));
    await bea.call(endOtherSessions);
    await expectAllOver(other);
    await stays(own);
  });

  test('a password change', async () => {
    const own = await inCall(bea);
    const other = await inCall(await signIn(bea.user.email));
    const body = { currentPassword: 'correct horse', newPassword: 'another horse' };
    await bea.call(changePassword, { body });
    await expectAllOver(other);
    await stays(own);
  });

  test('a password reset', async () => {
    const beas = await inCall(bea);
    await bea.send('POST', '/api/forgot-password', { email: bea.user.email });
    const link = await vi.waitFor(async () => {
      const sql = 'select body_text from mails where recipient = $1';
      const { rows } = await app.owner.query(sql, [bea.user.email]);
      return /reset-password\/[\w-]+/.exec(rows[0]?.body_text)?.[0] ?? expect.fail('no mail yet');
    });
    const body = { password: 'quite another horse' };
    const reset = await new Visitor(app).send('POST', `/api/${link}`, body);
    expect(reset.status).toBeLessThan(300);
    await expectAllOver(beas);
  });

  test('the operator’s command line', async () => {
    const beas = await inCall(bea);
    await app.owner.query(
      `insert into passkeys (id, account_id, credential_id, public_key, counter, transports, name, backed_up)
       values (gen_random_uuid(), $1, $2, '', 0, '{}', 'Laptop', false)`,
      [bea.user.id, `key of ${bea.user.id}`],
    );
    await forgetFactors(
      app.services.database,
      bea.user.email,
      'https://calls.test',
      async () => true,
    );
    await expectAllOver(beas);
  });
});

test('attack 14: the sessions, sockets and meeting tokens of a membership end with it', async () => {
  const adas = await inCall(ada);
  const beas = await inCall(bea);
  await ada.call(removeUser, { params: { id: bea.user.id } });
  await expectAllOver(beas, closeCodes.removed);
  await adas.page.until('left', ({ participantId }) => participantId === beas.page.id);
  expect(await bea.send('GET', '/api/user')).toMatchObject({ status: 401 });
  const back = await signIn(bea.user.email);
  expect(await back.send('GET', '/api/user')).toMatchObject({ status: 200, body: { orgId: null } });
});

test('a membership deleted directly in the database ends them in the same way', async () => {
  const beas = await inCall(bea);
  await app.owner.query('delete from memberships where account_id = $1', [bea.user.id]);
  await expectAllOver(beas, closeCodes.removed);
  expect(await bea.send('GET', '/api/user')).toMatchObject({ status: 401 });
});

test('deactivation by SCIM ends the sockets and the meeting tokens', async () => {
  const beas = await inCall(bea);
  const directory = await Directory.of(app, ada);
  const left = await directory.ask('PATCH', `/Users/${bea.user.id}`, {
    ...patchOf({ op: 'replace', path: 'active', value: false }),
  });
  expect(left.status).toBe(200);
  await expectAllOver(beas, closeCodes.removed);
});

test('erasure ends the sockets and the meeting tokens', async () => {
  const beas = await inCall(bea);
  await ada.call(erasePerson, { body: { userId: bea.user.id } });
  await expectAllOver(beas, closeCodes.removed);
});

test('a role change applies to open sockets, which stay open: a viewer can no longer edit', async () => {
  const { page, panel } = await inCall(bea);
  expect(panel.welcome.mayEdit).toBe(true);
  const setRole = (role: 'VIEWER' | 'AGENT') =>
    ada.call(changeRole, { params: { userId: bea.user.id }, body: { role } });
  await setRole('VIEWER');
  await page.until('rights', ({ mayEdit }) => !mayEdit);
  await panel.until('rights', ({ mayEdit }) => !mayEdit);
  page.send({ type: 'lock', locked: true });
  expect(await page.until('refused')).toMatchObject({ code: 'forbidden' });
  panel.send({ type: 'note', id: 'one', update: 'AAA=' });
  expect(await panel.until('refused')).toMatchObject({ code: 'forbidden' });
  await setRole('AGENT');
  await page.until('rights', ({ mayEdit }) => mayEdit);
  page.send({ type: 'lock', locked: true });
  await page.until('call-changed', ({ call }) => call.locked === true);
});

test('R9-6: however often rights change, one look-up of a page runs and one waits', async () => {
  const page = await enter(url, await tokenOf(bea));
  const { database, revocations } = app.services;
  const connection = database.connection;
  const held = Promise.withResolvers<void>();
  const begun: string[] = [];
  const lookUps = vi.spyOn(database, 'connection').mockImplementation(async (tenant, use, turn) => {
    const result = await connection(tenant, use, turn);
    if (!turn?.isUrgent || turn.actorKey !== bea.user.id) return result;
    begun.push('look-up');
    if (begun.length === 1) await held.promise;
    return result;
  });
  try {
    const setRole = async (role: 'VIEWER' | 'AGENT') => {
      const heard = revocations.count;
      await ada.call(changeRole, { params: { userId: bea.user.id }, body: { role } });
      await vi.waitFor(() => expect(revocations.count).toBeGreaterThan(heard));
    };
    await setRole('VIEWER');
    await vi.waitFor(() => expect(begun).toHaveLength(1)); // it found a viewer
    for (const role of ['AGENT', 'VIEWER', 'AGENT', 'VIEWER', 'AGENT'] as const)
      await setRole(role);
    held.resolve();
    await page.until('rights', ({ mayEdit }) => mayEdit);
    await setRole('VIEWER');
    // Look-ups of an account run in turn, so that this one comes after all others.
    await page.until('rights', () => page.all('rights').length === 3);
    expect(page.all('rights').map(({ mayEdit }) => mayEdit)).toEqual([false, true, false]);
    expect(begun).toHaveLength(3);
  } finally {
    held.resolve();
    lookUps.mockRestore();
  }
});

test('membership changes of another organization have no effect here', async () => {
  const eve = await newOrganization(app);
  const eves = await newMember(app, eve, 'AGENT');
  const beas = await inCall(bea);
  await eve.call(removeUser, { params: { id: eves.user.id } });
  await stays(beas);
});

test('another process learns of revocations from the database, even after a lost connection', async () => {
  const revocations = await app.openRevocations();
  const other = await buildApp(
    { ...app.services, bus: inProcessBus(), revocations },
    { pagesDir: null },
  );
  const at = (await other.listen({ port: 0, host: '127.0.0.1' })).replace(/^http/, 'ws');
  try {
    const first = await enter(at, await tokenOf(bea));
    await ada.call(endUserSessions, { params: { id: bea.user.id } });
    expect(await first.closed).toBe(closeCodes.tokenRefused);

    const again = await signIn(bea.user.email);
    const second = await enter(at, await tokenOf(again));
    // One statement, so that no listener is connected when the session ends.
    await app.owner.query(
      `with lost as (
         select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and application_name = $2)
       delete from sessions where account_id = $1 and (select count(*) from lost) > 0`,
      [bea.user.id, listenerName],
    );
    expect(await second.closed).toBe(closeCodes.tokenRefused);
  } finally {
    await other.close();
    await revocations.close();
  }
});

test('a hello whose session ends while it is checked is not admitted', async () => {
  const token = await tokenOf(bea);
  const { database } = app.services;
  const read = vi.spyOn(database, 'connection');
  // The session ends right after the query of the hello has found it.
  read.mockImplementation(async (tenant, use) => {
    read.mockRestore();
    const found = await database.connection(tenant, use);
    const heard = app.services.revocations.count;
    await app.owner.query('delete from sessions where account_id = $1', [bea.user.id]);
    await vi.waitFor(() => expect(app.services.revocations.count).toBeGreaterThan(heard));
    return found;
  });
  const page = await enter(url, token);
  expect(await page.closed).toBe(closeCodes.tokenRefused);
});

/** A person of this process, in rooms that note with which code they are closed. */
async function fakeLive(visitor: Visitor, attending: Promise<void>) {
  const claims = await readMeetingToken(app.services.secrets, await tokenOf(visitor));
  const ended: number[] = [];
  const rooms = {
    has: () => true,
    everybody: () => [person],
    revoke: (_person: unknown, code: number) => ended.push(code),
    lookedUp: () => undefined,
  };
  const person = {
    attending,
    admitted: { claims, tenant: { address: null }, name: 'Bea', mayEdit: true },
    sessions: new Map(),
  };
  return {
    live: { rooms, lobby: { greet: () => undefined } } as never,
    person: person as never,
    ended,
  };
}

test('D3: a removal takes effect while the attendance of the person waits to be stored', async () => {
  const { live, person, ended } = await fakeLive(bea, new Promise(() => undefined));
  await ada.call(removeUser, { params: { id: bea.user.id } });
  await readmit(app.services, live, person);
  expect(ended).toEqual([closeCodes.removed]);
});

test.each(['expires_at = now()', "last_seen_at = now() - interval '7 days'"])(
  'G15: a session that has expired (%s) keeps no page open',
  async (change) => {
    const { live, ended } = await fakeLive(bea, Promise.resolve());
    await endExpired(app.services, live);
    expect(ended).toEqual([]);
    await app.owner.query(`update sessions set ${change} where account_id = $1`, [bea.user.id]);
    await endExpired(app.services, live);
    expect(ended).toEqual([closeCodes.tokenRefused]);
  },
);

test('R8-9: pages that a member has left behind do not delay the removal', async () => {
  for (let n = 0; n < 15; n += 1) await (await enter(url, await tokenOf(bea))).drop();
  const pages = [await inCall(bea), await inCall(bea), await inCall(bea)];
  const adas = await inCall(ada);
  const { database } = app.services;
  const connection = database.connection;
  let lookUps = 0;
  const counting = vi.spyOn(database, 'connection').mockImplementation((tenant, use, turn) => {
    if (turn?.isUrgent && turn.actorKey === bea.user.id) lookUps += 1;
    return connection(tenant, use, turn);
  });
  await ada.call(removeUser, { params: { id: bea.user.id } });
  for (const { page, panel } of pages) {
    expect([await page.closed, await panel.closed]).toEqual([
      closeCodes.removed,
      closeCodes.removed,
    ]);
  }
  await stays(adas);
  counting.mockRestore();
  // The first ends all of them. Another may have begun by then, for what else ended with the membership.
  expect(lookUps).toBeGreaterThan(0);
  expect(lookUps).toBeLessThanOrEqual(2);
});

test('R6-4: a removal takes effect while the organization’s share of connections is used up', async () => {
  const { orgId } = ada.user;
  if (orgId === null) throw new Error('an admin has an organization');
  const { page } = await inCall(bea);
  const held = Promise.withResolvers<void>();
  // As many as an organization may hold, by as many of its actors.
  const holding = Array.from({ length: 12 }, (_, n) =>
    app.services.database.connection(orgId, () => held.promise, { actorKey: `search ${n}` }),
  );
  try {
    await app.owner.query('delete from memberships where account_id = $1', [bea.user.id]);
    expect(await page.closed).toBe(closeCodes.removed);
  } finally {
    held.resolve();
    await Promise.all(holding);
  }
});

test('D7, D8: what waited behind other work of a removed person is neither stored nor read', async () => {
  const { orgId, id } = bea.user;
  if (orgId === null) throw new Error('a member has an organization');
  const { page } = await inCall(bea);
  const adas = await inCall(ada);
  const held = Promise.withResolvers<void>();
  const waiting = [1, 2].map(() =>
    app.services.database.connection(orgId, () => held.promise, { actorKey: id }),
  );
  page.send({ type: 'chat', id: 'late', text: 'still here' });
  const late = bea.send('GET', '/api/calls');
  await ada.call(removeUser, { params: { id } });
  expect(await page.closed).toBe(closeCodes.removed);
  await sleep(lateMs);
  held.resolve();
  await Promise.all(waiting);
  expect((await late).status).toBe(401);
  await stays(adas);
  const { rows } = await app.owner.query("select 1 from chat_messages where text = 'still here'");
  expect(rows).toEqual([]);
});
