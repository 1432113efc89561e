import { decodeJwt } from 'jose';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { register } from '#domain/auth/contract.ts';
import { tryAgainLater } from '#domain/calls/close-codes.ts';
import { readCall, startCall } from '#domain/calls/contract.ts';
import { changeOrganizationCapture, readOrganizationCapture } from '#domain/consent/contract.ts';
import { readEmbedding } from '#domain/embedding/contract.ts';
import { readPrivacy } from '#domain/privacy/contract.ts';
import { createRoom } from '#domain/rooms/contract.ts';
import { sendDueMails } from '#server/mail/send-mails.ts';
import { requestTimeouts } from '#server/platform/database-timeouts.ts';
import { allContracts } from '#server/testing/contracts.ts';
import { enter } from '#server/testing/live-client.ts';
import { mailedToken } from '#server/testing/mailed-token.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { requestOf, unknownThings } from '#server/testing/requests.ts';
import { newMember, Visitor } from '#server/testing/visitor.ts';
import { firstAnswer, guestTokenOf, hello, staffTokenOf } from '#server/testing/waiting-guest.ts';
import { finishTakeovers } from './finish-takeovers.ts';

let app: TestApp;
let url: string;
beforeAll(async () => {
  app = await openTestApp({ PUBLIC_URL: 'https://calls.example.com' });
  url = await app.listen();
});
afterAll(() => app.close());

let count = 0;
const own = { password: 'my own password' };

/** Founds an organization with another person's address, as an attacker: the address stays unverified. */
async function squat() {
  const mallory = new Visitor(app);
  const email = `founder-${++count}@victim.example`;
  const names = { firstName: 'V', lastName: 'W', orgName: 'Victim GmbH' };
  const user = await mallory.call(register, { body: { email, password: 'of mallory', ...names } });
  return { mallory, email, orgId: user.orgId, user };
}
const mailed = (email: string, path: string) => mailedToken(app, email, path);

/** The owner resets the password by mail and signs in. Returns the owner and what the mail says. */
async function takeOver(email: string) {
  const owner = new Visitor(app);
  await owner.send('POST', '/api/forgot-password', { email });
  const token = await mailed(email, 'reset-password');
  expect(await owner.send('POST', `/api/reset-password/${token}`, own)).toMatchObject({
    status: 200,
  });
  await owner.send('POST', '/api/login', { email, ...own });
  await sendDueMails(app.services);
  const mail = app.mails.findLast(({ subject, to }) => to === email && /^Earlier/.test(subject));
  return { owner, text: mail?.text };
}

/** The number of rooms that guests enter without a lobby. */
async function openRooms(orgId: string | null): Promise<number> {
  const { rows } = await app.owner.query<{ open: number }>(
    'select count(*)::int as open from rooms where org_id = $1 and lobby_at is null',
    [orgId],
  );
  return rows[0]?.open ?? 0;
}

test('R8-1: without a verified address, a founder cannot change what would outlast them', async () => {
  const { mallory, orgId } = await squat();
  const things = { ...unknownThings, organizations: orgId ?? '' };
  const contracts = (await allContracts()).filter(
    ({ needsVerifiedAddress }) => needsVerifiedAddress,
  );
  expect(contracts.length).toBeGreaterThan(8);
  for (const contract of contracts) {
    const { method, url, body } = requestOf(contract, things);
    expect([url, await mallory.send(method, url, body)]).toEqual([
      url,
      expect.objectContaining({
        status: 403,
        body: expect.objectContaining({ code: 'email_unverified' }),
      }),
    ]);
  }
});

test('R8-1: what was prepared before the owner of the address comes is undone, and the mail says so', async () => {
  const { mallory, email, orgId } = await squat();
  await mallory.call(createRoom, { body: { topic: 'Open to all' } });
  expect(await openRooms(orgId)).toBe(1);
  // From before these changes needed a verified address.
  await app.owner.query(
    `insert into organization_deletions (org_id, due_at) values ($1, now() + interval '7 days')`,
    [orgId],
  );
  await app.owner.query(
    `insert into retention_rules (org_id, kind, days) values ($1, 'notes', 1)`,
    [orgId],
  );
  await app.owner.query(
    `insert into embedding_origins (org_id, origin) values ($1, 'https://evil.example')`,
    [orgId],
  );
  // R20-6: these need no verified address.
  await mallory.call(changeOrganizationCapture, { body: { recording: 'start' } });
  await app.owner.query(`insert into ai_settings (org_id, provider) values ($1, 'elsewhere')`, [
    orgId,
  ]);
  const { owner, text } = await takeOver(email);
  expect(await owner.call(readOrganizationCapture)).toMatchObject({ recording: 'off' });
  const { deletion, retention } = await owner.call(readPrivacy);
  expect([deletion, Object.values(retention).filter(Boolean)]).toEqual([null, []]);
  expect(await owner.call(readEmbedding)).toEqual({ origins: [] });
  expect(await openRooms(orgId)).toBe(0);
  expect(text).toContain('the only admin of Victim GmbH');
  const { body } = await owner.send('GET', '/api/audit-events?action=PREPARED_SETTINGS_UNDONE');
  expect(body).toMatchObject([
    {
      metadata: {
        deletions: 1,
        retentionRules: 1,
        embeddingOrigins: 1,
        captureSettings: 1,
        analyzers: 1,
      },
    },
  ]);
});

test('F2: guests whom others admitted wait again, and running calls end with their guests', async () => {
  const { mallory, email } = await squat();
  const [open, admitted] = [
    await mallory.call(createRoom, { body: { topic: 'Open' } }),
    await mallory.call(createRoom, { body: { topic: 'Lobby', lobby: true } }),
  ];
  await mallory.call(startCall, { body: { roomId: open.id } });
  const inCall = await enter(url, await guestTokenOf(app, mallory, open.id), { name: 'Cleo' });
  const waits = await hello(url, await guestTokenOf(app, mallory, admitted.id), 'Dora');
  const { token } = await waits.until('waiting', ({ since }) => since !== null);
  const host = await enter(url, await staffTokenOf(mallory, admitted.id));
  host.send({ type: 'admit', guests: [String(decodeJwt(token).participantId)] });
  await waits.until('let-in');
  await waits.drop();
  const { text } = await takeOver(email);
  expect(text).toContain('running calls');
  expect(await inCall.closed).toBeGreaterThanOrEqual(4000);
  for (const [again, name] of [
    [inCall.welcome.token, 'Cleo'],
    [token, 'Dora'],
  ] as const) {
    expect([name, await firstAnswer(await hello(url, again, name))]).not.toContain('welcome');
  }
});

test('G2: a guest in a room without a call goes back to the lobby, and into no call of the owner', async () => {
  const { mallory, email } = await squat();
  const room = await mallory.call(createRoom, { body: { topic: 'Open' } });
  const guest = await enter(url, await guestTokenOf(app, mallory, room.id), { name: 'Cleo' });
  const { owner } = await takeOver(email);
  expect(await guest.closed).toBe(1012);
  await owner.call(startCall, { body: { roomId: room.id } });
  const again = await hello(url, guest.welcome.token, 'Cleo');
  expect(await firstAnswer(again)).toBe('waiting');
});

test('F2: a change that is about to be committed in an earlier session is waited for, or refused', async () => {
  const { mallory, email, orgId } = await squat();
  const { id } = await mallory.call(createRoom, { body: { topic: 'Toggled', lobby: true } });
  let hasEnded = false;
  const toggling = (async () => {
    for (let lobby = false; !hasEnded; lobby = !lobby) {
      await mallory.send('PATCH', `/api/rooms/${id}`, { lobby });
    }
  })();
  await takeOver(email);
  hasEnded = true;
  await toggling;
  expect(await openRooms(orgId)).toBe(0);
});

test('an only admin who came by a copied link reads of both: the membership, and what was undone', async () => {
  const { mallory, email, orgId } = await squat();
  await mallory.call(createRoom, { body: { topic: 'Open to all' } });
  await app.owner.query('update memberships set came_by_copied_link = true where org_id = $1', [
    orgId,
  ]);
  const { text } = await takeOver(email);
  expect(text).toContain('which it joined by an invitation link');
  expect(text).toContain('we undid what they may have prepared there');
  expect(await openRooms(orgId)).toBe(0);
});

test('R25-A3: an owner who is left with members of others reads of them, and no recap goes to them', async () => {
  const { email, orgId, user } = await squat();
  await newMember(app, { user }, 'AGENT');
  await app.owner.query(`insert into recap_settings (org_id, recipients) values ($1, 'staff')`, [
    orgId,
  ]);
  const { text } = await takeOver(email);
  expect(text).toContain('Other people are members of Victim GmbH');
  const { rows } = await app.owner.query('select from recap_settings where org_id = $1', [orgId]);
  expect(rows).toEqual([]);
  const alone = await squat();
  expect((await takeOver(alone.email)).text ?? '').not.toContain('Other people');
});

/** Holds the locks of the statement until the returned function is called. */
async function hold(sql: string, orgId: string | null): Promise<() => Promise<void>> {
  const client = new pg.Client(app.ownerLogin);
  await client.connect();
  await client.query('begin');
  await client.query(sql, [orgId]);
  return async () => {
    await client.query('commit');
    await client.end();
  };
}

test('G1: locks that the organization holds keep back the undoing only for a while, and guests stay out', async () => {
  const { mallory, email, orgId } = await squat();
  const room = await mallory.call(createRoom, { body: { topic: 'Open' } });
  await mallory.call(startCall, { body: { roomId: room.id } });
  await mallory.call(createRoom, { body: { topic: 'Other' } });
  const link = await guestTokenOf(app, mallory, room.id);
  const inCall = await enter(url, link, { name: 'Cleo' });
  const release = await hold('select 1 from calls where org_id = $1 for update', orgId);
  const { owner, text } = await takeOver(email);
  expect(text).toContain('we are undoing what they may have prepared there');
  expect(text).not.toContain('invitation');
  expect(await inCall.closed).toBe(tryAgainLater);
  const answerTo = async (token: string) => firstAnswer(await hello(url, token, 'Cleo'));
  expect(await answerTo(inCall.welcome.token)).toBe(tryAgainLater);
  expect(await answerTo(await guestTokenOf(app, owner, room.id))).toBe(tryAgainLater);

  // What is not locked is undone in the meantime.
  const impatient = app.openDatabase(5, { ...requestTimeouts, lock_timeout: 200 });
  expect(await finishTakeovers({ ...app.services, database: impatient })).toBe(0);
  await impatient.close();
  expect(await openRooms(orgId)).toBe(0);
  expect(await answerTo(inCall.welcome.token)).toBe(tryAgainLater);

  await release();
  expect(await finishTakeovers(app.services)).toBe(1);
  const { rows } = await app.owner.query('select ended_at from calls where org_id = $1', [orgId]);
  expect(rows).toEqual([{ ended_at: expect.any(Date) }]);
  expect(await answerTo(await guestTokenOf(app, owner, room.id))).toBe('waiting');
  expect(await finishTakeovers(app.services)).toBe(0);
});

test('G1: a call that the owner starts after the takeover goes on when it is finished', async () => {
  const { mallory, email, orgId } = await squat();
  const room = await mallory.call(createRoom, { body: { topic: 'Open' } });
  const release = await hold('select 1 from rooms where org_id = $1 for update', orgId);
  const { owner } = await takeOver(email);
  const impatient = app.openDatabase(5, { ...requestTimeouts, lock_timeout: 200 });
  await finishTakeovers({ ...app.services, database: impatient });
  await impatient.close();
  await release();
  const { id } = await owner.call(startCall, { body: { roomId: room.id } });
  expect(await finishTakeovers(app.services)).toBe(1);
  expect(await owner.call(readCall, { params: { id } })).toMatchObject({ endedAt: null });
});

test('G1: a membership by a copied link that locks have kept ends as soon as they allow it', async () => {
  const { email, orgId } = await squat();
  const other = (await squat()).email;
  await app.owner.query(
    `update memberships set org_id = $1 where account_id = (select id from accounts where email = $2)`,
    [orgId, other],
  );
  await app.owner.query('update memberships set came_by_copied_link = true where org_id = $1', [
    orgId,
  ]);
  const release = await hold('select 1 from memberships where org_id = $1 for update', orgId);
  const { owner, text } = await takeOver(email);
  expect(text).toContain('We are ending that');
  await release();
  expect(await finishTakeovers(app.services)).toBe(1);
  expect(await owner.send('GET', '/api/user')).toMatchObject({ status: 401 });
  const own = await new Visitor(app).send('POST', '/api/login', {
    email,
    password: 'my own password',
  });
  expect(own).toMatchObject({ status: 200, body: { orgId: null } });
});

/** Makes each change of a row of the organization in this table last, in PostgreSQL, until it is undone. */
async function slowChanges(table: 'rooms' | 'calls', orgId: string | null, seconds: number) {
  await app.owner.query(`create function slow_change() returns trigger language plpgsql as
    $$ begin perform pg_sleep(${seconds}); return new; end $$`);
  await app.owner.query(`create trigger slow_change before update on ${table} for each row
    when (new.org_id = '${orgId}') execute function slow_change()`);
  return () => app.owner.query('drop function slow_change() cascade');
}

test('R11A-3: rooms that take longer to close than a request may do not prevent a takeover, and are closed in parts', async () => {
  const { mallory, email, orgId } = await squat();
  for (const topic of ['One', 'Two', 'Three']) await mallory.call(createRoom, { body: { topic } });
  const undo = await slowChanges('rooms', orgId, 0.8);
  const { text } = await takeOver(email);
  expect(text).toContain('we are undoing what they may have prepared there');
  expect(await openRooms(orgId)).toBe(3);
  expect(await mallory.send('GET', '/api/user')).toMatchObject({ status: 401 });
  // Too short a time for two rooms.
  const hasty = app.openDatabase(5, { ...requestTimeouts, statement_timeout: 1500 });
  const services = { ...app.services, database: hasty };
  expect([await finishTakeovers(services), await openRooms(orgId)]).toEqual([0, 3]);
  expect([await finishTakeovers(services, undefined, 1), await openRooms(orgId)]).toEqual([1, 0]);
  await hasty.close();
  await undo();
});

test('R11A-3: running calls that take longer to end than a request may do not prevent a takeover', async () => {
  const { mallory, email, orgId } = await squat();
  for (const topic of ['One', 'Two', 'Three', 'Four']) {
    const { id } = await mallory.call(createRoom, { body: { topic } });
    await mallory.call(startCall, { body: { roomId: id } });
  }
  const undo = await slowChanges('calls', orgId, 0.8);
  const { text } = await takeOver(email);
  await undo();
  expect(text).toContain('we are undoing what they may have prepared there');
  const running = 'select count(*)::int as count from calls where org_id = $1 and ended_at is null';
  expect((await app.owner.query(running, [orgId])).rows).toEqual([{ count: 4 }]);
  expect(await finishTakeovers(app.services)).toBe(1);
  expect((await app.owner.query(running, [orgId])).rows).toEqual([{ count: 0 }]);
});

test('R11A-3: one room that is locked keeps back only its own part of the rooms', async () => {
  const { mallory, email, orgId } = await squat();
  const ids: string[] = [];
  for (const topic of ['One', 'Two', 'Three'])
    ids.push((await mallory.call(createRoom, { body: { topic } })).id);
  const release = await hold(
    `select 1 from rooms where org_id = $1 and topic = 'Two' for update`,
    orgId,
  );
  await takeOver(email);
  const impatient = app.openDatabase(5, { ...requestTimeouts, lock_timeout: 200 });
  const services = { ...app.services, database: impatient };
  expect([await finishTakeovers(services, undefined, 1), await openRooms(orgId)]).toEqual([0, 1]);
  await release();
  expect([await finishTakeovers(services, undefined, 1), await openRooms(orgId)]).toEqual([1, 0]);
  await impatient.close();
});

test('a founder who verifies the address in the session of the account keeps everything', async () => {
  const { mallory, email, orgId } = await squat();
  await mallory.call(createRoom, { body: { topic: 'Open to all' } });
  const token = await mailed(email, 'verify-email');
  await mallory.send('POST', `/api/verify-email/${token}`);
  expect(await openRooms(orgId)).toBe(1);
});
