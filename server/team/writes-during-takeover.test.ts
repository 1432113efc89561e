import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ApiScope } from '#domain/api/scopes.ts';
import type { Role } from '#domain/auth/permissions.ts';
import { createRoom } from '#domain/rooms/contract.ts';
import { inviteUser } from '#domain/team/contract.ts';
import { sendDueMails } from '#server/mail/send-mails.ts';
import { Directory, patchOf } from '#server/testing/directory.ts';
import { mailedToken } from '#server/testing/mailed-token.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { organizationToken, personalToken, program } from '#server/testing/token-things.ts';
import { newMember, newOrganization, Visitor } from '#server/testing/visitor.ts';
import { waitingForLocks } from '#server/testing/waiting-for-locks.ts';
import { finishTakeovers } from './finish-takeovers.ts';

// What others write in an organization while the owner of its only admin's address takes it over.

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ PUBLIC_URL: 'https://calls.example.com' });
  await app.owner.query('create table held (org_id uuid)');
  // Holds a change back for as long as its organization has a row there. Its statement's time limit ends it, too.
  await app.owner.query(`create function hold_change() returns trigger language plpgsql as $$
    begin
      while exists (select from held where org_id = old.org_id) loop perform pg_sleep(0.01); end loop;
      return case tg_op when 'DELETE' then old else new end;
    end $$`);
  await app.owner.query('grant select on held to public');
  await app.owner.query(`create trigger hold_change before update on rooms
    for each row execute function hold_change()`);
  await app.owner.query(`create trigger hold_change before delete on memberships
    for each row execute function hold_change()`);
});
afterAll(() => app.close());

let count = 0;
const scopes: ApiScope[] = ['rooms:write', 'webhooks:write'];
const webhook = { url: 'https://93.184.216.34/former', events: ['room.created'] };
const person = { password: 'of mallory', firstName: 'V', lastName: 'W' };

/**
 * An organization of Mallory, who has an API token, a directory with a colleague, and a group of admins without
 * members. Another person's address accepted a copied link as an admin.
 */
async function prepare() {
  const mallory = await newOrganization(app);
  const { orgId } = mallory.user;
  const email = `person-${++count}@victim.example`;
  const { token } = await organizationToken(mallory, scopes);
  const directory = await Directory.of(app, mallory, `evil-${count}.example`);
  const eve = await directory.user(`eve@evil-${count}.example`);
  const group = await directory.group('Admins');
  await mallory.send('PUT', `/api/scim-groups/${group}/role`, { role: 'ORGADMIN' });
  await mallory.call(createRoom, { body: { topic: 'Open' } });
  const { url } = await mallory.call(inviteUser, { body: { email, role: 'ORGADMIN' } });
  const squatter = new Visitor(app);
  const path = `/api/invitations/${/\/invite\/([\w-]+)/.exec(url)?.[1]}/accept`;
  expect((await squatter.send('POST', path, { ...person, email })).status).toBe(201);
  await squatter.send('POST', '/api/login', { email, password: person.password });
  const promote = () =>
    directory.ask(
      'PATCH',
      `/Groups/${group}`,
      patchOf({ op: 'add', path: 'members', value: [{ value: eve.id }] }),
    );
  const send = program(app, token);
  return { mallory, squatter, orgId, email, eve: eve.id, send, promote };
}
/** As `prepare`, after Mallory has left the account of the other address as the only admin. */
async function prepareAndLeave() {
  const prepared = await prepare();
  const { mallory, squatter } = prepared;
  expect(await squatter.send('DELETE', `/api/users/${mallory.user.id}`)).toMatchObject({
    status: 204,
  });
  return prepared;
}

/** The owner of the address resets the password by mail. */
async function takeOver(email: string) {
  const owner = new Visitor(app);
  const own = { password: 'my own password' };
  await owner.send('POST', '/api/forgot-password', { email });
  const token = await mailedToken(app, email, 'reset-password');
  expect(await owner.send('POST', `/api/reset-password/${token}`, own)).toMatchObject({
    status: 200,
  });
  await owner.send('POST', '/api/login', { email, ...own });
  await sendDueMails(app.services);
  const mail = app.mails.findLast(({ subject, to }) => to === email && /^Earlier/.test(subject));
  return { owner, text: mail?.text };
}

/** Runs `during` while the takeover is held up between two of its statements. */
async function whileTakenOver<T>(
  { orgId, email }: { orgId: string | null; email: string },
  during: () => Promise<T>,
) {
  await app.owner.query('insert into held values ($1)', [orgId]);
  let isOver = false;
  const taking = takeOver(email).finally(() => {
    isOver = true;
  });
  const isHeld = async () =>
    (
      await app.owner.query(
        `select from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`,
      )
    ).rowCount;
  await expect.poll(isHeld, { timeout: 10_000 }).toBe(1);
  expect(isOver).toBe(false);
  const result = await during();
  await app.owner.query('delete from held');
  const taken = await taking;
  // On a slow machine, it is finished later.
  await finishTakeovers(app.services);
  return { result, ...taken };
}

const rolesOf = async (orgId: string | null): Promise<Role[]> =>
  (
    await app.owner.query('select role from memberships where org_id = $1 order by role', [orgId])
  ).rows.map(({ role }) => role);
const enabledWebhooks = async (orgId: string | null) =>
  (
    await app.owner.query(
      'select from webhook_endpoints where org_id = $1 and disabled_at is null',
      [orgId],
    )
  ).rowCount;
const openRooms = async (orgId: string | null) =>
  (await app.owner.query('select from rooms where org_id = $1 and lobby_at is null', [orgId]))
    .rowCount;

test('R26-A2: API tokens write nothing that a takeover does not undo', async () => {
  const prepared = await prepareAndLeave();
  const { orgId, send } = prepared;
  const { result, text } = await whileTakenOver(prepared, () =>
    Promise.all([
      send('POST', '/api/webhooks', webhook),
      send('POST', '/api/rooms', { topic: 'Later' }),
    ]),
  );
  expect(result.map(({ status }) => status)).toEqual([401, 401]);
  expect(text).toContain('what they may have prepared there');
  expect([await enabledWebhooks(orgId), await openRooms(orgId)]).toEqual([0, 0]);
});

test('R26-A2: a personal API token of a colleague does not, either', async () => {
  const prepared = await prepareAndLeave();
  const { orgId, mallory } = prepared;
  const colleague = await newMember(app, mallory, 'AGENT');
  const { token } = await personalToken(colleague, ['rooms:write']);
  const { result } = await whileTakenOver(prepared, () =>
    program(app, token)('POST', '/api/rooms', { topic: 'Later' }),
  );
  expect([result.status, await openRooms(orgId)]).toEqual([401, 0]);
});

test('R26-A2: a directory makes no admin during a takeover', async () => {
  const prepared = await prepareAndLeave();
  const { orgId, promote } = prepared;
  const { result, text } = await whileTakenOver(prepared, promote);
  expect(result.status).toBeGreaterThanOrEqual(400);
  expect(text).toContain('the only admin');
  expect(await rolesOf(orgId)).toEqual(['ORGADMIN', 'VIEWER']);
  expect((await promote()).status).toBe(401);
});

test('R26-A2: neither does an identity provider, an invitation, or anything else', async () => {
  const prepared = await prepareAndLeave();
  const { orgId, eve } = prepared;
  const { result } = await whileTakenOver(prepared, () =>
    app.owner
      .query(`update memberships set role = 'ORGADMIN' where account_id = $1`, [eve])
      .then(() => 'made')
      .catch(({ code }) => code),
  );
  expect([result, await rolesOf(orgId)]).toEqual(['55P03', ['ORGADMIN', 'VIEWER']]);
});

test('R26-A2: during a takeover, sessions of other admins are refused for the moment, and other members go on', async () => {
  const prepared = await prepareAndLeave();
  const [agent, other] = [
    await newMember(app, prepared.mallory, 'AGENT'),
    await newMember(app, prepared.mallory, 'AGENT'),
  ];
  const { result } = await whileTakenOver(prepared, async () => {
    // Only an operator does so then.
    await app.owner.query(`update memberships set role = 'SUPERADMIN' where account_id = $1`, [
      other.user.id,
    ]);
    return Promise.all([
      other.send('POST', '/api/rooms', { topic: 'Later' }),
      agent.send('POST', '/api/rooms', { topic: 'Later' }),
    ]);
  });
  expect(result).toMatchObject([
    { status: 409, body: { code: 'changed_elsewhere' } },
    { status: 201 },
  ]);
});

test('R26-A2: an admin who is just being made is waited for, and counts', async () => {
  const { orgId, email, eve } = await prepareAndLeave();
  const client = new pg.Client(app.ownerLogin);
  await client.connect();
  await client.query('begin');
  await client.query(`update memberships set role = 'ORGADMIN' where account_id = $1`, [eve]);
  const taking = takeOver(email);
  await Promise.race([waitingForLocks(app), taking]);
  await client.query('commit');
  await client.end();
  await taking;
  // On a slow machine, the rest is done later.
  await finishTakeovers(app.services);
  expect(await rolesOf(orgId)).toEqual(['ORGADMIN']);
});

test('R26-A2: while a takeover is still to be finished, tokens write nothing, and no admin is made', async () => {
  const { orgId, email, send, promote } = await prepareAndLeave();
  await send('POST', '/api/webhooks', webhook);
  const client = new pg.Client(app.ownerLogin);
  await client.connect();
  await client.query('begin');
  await client.query('select 1 from rooms where org_id = $1 for update', [orgId]);
  const { text } = await takeOver(email);
  expect(text).toContain('we are undoing what they may have prepared there');
  const status = (await send('POST', '/api/rooms', { topic: 'Later' })).status;
  expect([status, (await promote()).status >= 400]).toEqual([401, true]);
  await client.query('commit');
  await client.end();
  expect(await finishTakeovers(app.services)).toBe(1);
  expect(await rolesOf(orgId)).toEqual(['ORGADMIN', 'VIEWER']);
  expect([await enabledWebhooks(orgId), await openRooms(orgId)]).toEqual([0, 0]);
});

test('where another admin stays, tokens go on while the owner of an address takes it over', async () => {
  const prepared = await prepare();
  const { orgId, send } = prepared;
  const { result } = await whileTakenOver(prepared, () =>
    send('POST', '/api/rooms', { topic: 'Later' }),
  );
  expect([result.status, await rolesOf(orgId)]).toEqual([201, ['ORGADMIN', 'VIEWER']]);
});
