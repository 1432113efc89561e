import { existsSync, readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { updateCall } from '#domain/calls/contract.ts';
import { createRoom } from '#domain/rooms/contract.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { fileForm, smallPng } from '#server/testing/requests.ts';
import {
  newMember,
  newOrganization,
  runningCall,
  signInAgain,
  Visitor,
} from '#server/testing/visitor.ts';
import { deleteDueOrganizations } from './delete-organization.ts';

let app: TestApp;
let ada: Awaited<ReturnType<typeof newOrganization>>;
let ben: typeof ada;
let callId: string;
beforeAll(async () => {
  app = await openTestApp();
  ada = await newOrganization(app);
  ben = await newOrganization(app);
  callId = (await runningCall(ada)).call.id;
});
afterAll(() => app.close());

const one = async (sql: string, values: unknown[]) => (await app.owner.query(sql, values)).rows[0];

/** Adds a person to the running call, with a chat message and a score. */
async function takePart(who: { kind: string; account: string | null; name: string }) {
  const { id } = await one(
    `insert into attendances (id, org_id, call_id, kind, account_id, name)
      values (gen_random_uuid(), $1, $2, $3, $4, $5) returning id`,
    [ada.user.orgId, callId, who.kind, who.account, who.name],
  );
  await app.owner.query(
    `insert into chat_messages (id, org_id, call_id, participant_id, kind, name, text, client_id)
      values (gen_random_uuid(), $1, $2, $3, $4, $5, $6, '1')`,
    [ada.user.orgId, callId, id, who.kind, who.name, `said by ${who.name}`],
  );
  return id as string;
}
const guest = (name: string) => takePart({ kind: 'guest', account: null, name });

describe('export of a person’s data', () => {
  test('a member downloads their own data: account, sessions, messages, and actions; no secrets, and no one else’s data', async () => {
    const bob = await newMember(app, ada, 'AGENT');
    await takePart({ kind: 'staff', account: bob.user.id, name: 'Bob' });
    await guest('Cleo');
    await bob.call(createRoom, { body: { topic: 'Room of Bob' } });
    await bob.call(updateCall, {
      params: { id: callId },
      body: { npsScore: 2, npsFeedback: 'ok' },
    });
    const reply = await bob.send('GET', '/api/user/export');
    expect(reply.headers['content-disposition']).toMatch(/^attachment; filename="person-.*json"$/);
    const held = reply.body as Record<string, object[]>;
    expect(held.account).toMatchObject([{ email: bob.user.email, first_name: bob.user.firstName }]);
    expect(held['attendances.account_id']).toMatchObject([{ name: 'Bob' }]);
    expect(held['ratings.account_id']).toMatchObject([{ score: 2, feedback: 'ok' }]);
    expect(held.chat_messages).toMatchObject([{ text: 'said by Bob' }]);
    expect(held['sessions.account_id']?.length).toBeGreaterThan(0);
    expect(held['rooms.created_by']?.length).toBe(1);
    expect(held.audit_events).toEqual(
      expect.arrayContaining([expect.objectContaining({ action: 'PERSON_EXPORTED' })]),
    );
    const text = JSON.stringify(held);
    for (const absent of ['hash', 'argon2', 'Cleo', ada.user.email, ben.user.email])
      expect(text).not.toContain(absent);
  });

  test('the export contains the image', async () => {
    const bob = await newMember(app, ada, 'AGENT');
    await bob.send('POST', '/api/user/picture', fileForm(smallPng));
    const { body } = await bob.send('GET', '/api/user/export');
    expect((body as { picture: string }).picture).toMatch(/^data:image\/webp;base64,[\w+/]{20}/);
  });

  test('an account without an organization can export its data, without any organization’s rows', async () => {
    const bob = await newMember(app, ada, 'AGENT');
    await takePart({ kind: 'staff', account: bob.user.id, name: 'Bob' });
    await app.owner.query('delete from memberships where account_id = $1', [bob.user.id]);
    await signInAgain(bob);
    const { status, body } = await bob.send('GET', '/api/user/export');
    expect(status).toBe(200);
    expect(body).toMatchObject({ account: [{ email: bob.user.email }] });
    expect(body).not.toHaveProperty('chat_messages');
    expect(Object.keys(body as object)).not.toContain('attendances.account_id');
  });

  test('an admin can export a member’s data, or a guest’s by name, but not of another organization', async () => {
    const bob = await newMember(app, ada, 'AGENT');
    await guest('Dora');
    const path = (query: string) => `/api/privacy/person?${query}`;
    expect((await ada.send('GET', path(`userId=${bob.user.id}`))).body).toMatchObject({
      account: [{ email: bob.user.email }],
    });
    expect((await ada.send('GET', path('guest=dora%20'))).body).toMatchObject({
      attendances: [{ name: 'Dora' }],
      chat_messages: [{ text: 'said by Dora' }],
    });
    // R20-8: the rooms that name a customer's address, which an erasure empties.
    const { id } = await ada.call(createRoom, { body: { topic: 'Renewal' } });
    const customerEmail = 'dora@example.com';
    await ada.send('PATCH', `/api/rooms/${id}`, { customerEmail });
    expect((await ada.send('GET', path(`guest=${customerEmail}`))).body).toMatchObject({
      rooms: [{ topic: 'Renewal', customer_email: customerEmail }],
    });
    expect((await ben.send('GET', path('guest=Dora'))).status).toBe(404);
    expect((await ben.send('GET', path(`userId=${bob.user.id}`))).status).toBe(404);
    expect((await ada.send('GET', path(''))).status).toBe(400);
    expect((await bob.send('GET', path('guest=Dora'))).status).toBe(403);
  });
});

describe('deletion of a person', () => {
  test('every foreign key to an account deletes the row or sets null', async () => {
    const { rows } = await app.owner.query(
      `select conrelid::regclass::text as "table" from pg_constraint
        where contype = 'f' and confrelid = 'accounts'::regclass and confdeltype not in ('c', 'n')`,
    );
    expect(rows).toEqual([]);
  });

  test('a member deletes the account: signed out immediately, kept records have a pseudonym, others’ messages stay', async () => {
    const bob = await newMember(app, ada, 'AGENT');
    const attendance = await takePart({ kind: 'staff', account: bob.user.id, name: 'Bodo' });
    await guest('Emil');
    const room = await bob.call(createRoom, { body: { topic: 'Stays' } });
    const files = () => readdirSync(`${app.filesFolder}/${ada.user.orgId}`).length;
    await ada.send('POST', '/api/user/picture', fileForm(smallPng));
    const before = files();
    await bob.send('POST', '/api/user/picture', fileForm(smallPng));
    expect(files()).toBe(before + 1);
    const { email } = bob.user;
    const wrong = (body: object) => bob.send('POST', '/api/user/delete', body);
    expect(await wrong({ email: 'other@example.com', password: 'correct horse' })).toMatchObject({
      status: 400,
      body: { code: 'other_address' },
    });
    expect(await wrong({ email, password: 'wrong one' })).toMatchObject({
      status: 400,
      body: { code: 'wrong_password' },
    });
    const { cookie } = bob;
    expect((await wrong({ email, password: 'correct horse' })).status).toBe(204);
    bob.cookie = cookie;
    expect((await bob.send('GET', '/api/user')).status).toBe(401);
    expect(
      await one('select count(*)::int as n from accounts where id = $1', [bob.user.id]),
    ).toEqual({ n: 0 });
    expect(
      await one('select name, account_id from attendances where id = $1', [attendance]),
    ).toEqual({
      name: 'Deleted person',
      account_id: null,
    });
    const chats = await app.owner.query('select text from chat_messages where org_id = $1', [
      ada.user.orgId,
    ]);
    const texts = chats.rows.map(({ text }) => text);
    expect(texts).toContain('said by Emil');
    expect(texts).not.toContain('said by Bodo');
    expect((await ada.send('GET', `/api/rooms/${room.id}`)).status).toBe(200);
    const log = await ada.send('GET', `/api/audit-events?userId=${bob.user.id}`);
    const events = log.body as { action: string; actor: object }[];
    expect(events[0]).toMatchObject({
      action: 'PERSON_DELETED',
      actor: { name: 'Deleted person' },
    });
    expect(JSON.stringify(events)).not.toContain(bob.user.lastName);
    expect(files()).toBe(before);
  });

  test('attack 12: the last admin cannot delete or erase themselves before handing over', async () => {
    const solo = await newOrganization(app);
    const { id, email } = solo.user;
    const self = await solo.send('POST', '/api/user/delete', { email, password: 'correct horse' });
    expect(self).toMatchObject({ status: 409, body: { code: 'last_admin' } });
    const erased = await solo.send('POST', '/api/privacy/erase', { userId: id });
    expect(erased).toMatchObject({ status: 409, body: { code: 'last_admin' } });
    expect((await solo.send('GET', '/api/user')).status).toBe(200);
  });

  test('R31-B3: a guest is found and erased by their name, however its letters are lowered', async () => {
    for (const name of ['İbrahim', 'ΝΙΚΟΣ', 'STRAẞE', 'Zoe\u0308'.normalize('NFC')]) {
      await guest(name);
      const path = `/api/privacy/person?guest=${encodeURIComponent(name.normalize('NFD'))}`;
      expect([name, (await ada.send('GET', path)).status]).toEqual([name, 200]);
      const reply = await ada.send('POST', '/api/privacy/erase', { guest: name });
      expect(reply).toMatchObject({ status: 200, body: { erased: 2 } });
    }
  });

  test('an admin erases a guest by name: the messages go, the attendance stays', async () => {
    const attendance = await guest('Fritz');
    expect(await ben.send('POST', '/api/privacy/erase', { guest: 'Fritz' })).toMatchObject({
      status: 404,
    });
    const reply = await ada.send('POST', '/api/privacy/erase', { guest: ' fritz ' });
    expect(reply).toMatchObject({ status: 200, body: { erased: 2 } });
    expect(await one('select name from attendances where id = $1', [attendance])).toEqual({
      name: 'Deleted person',
    });
    expect((await ada.send('POST', '/api/privacy/erase', { guest: 'Fritz' })).status).toBe(404);
    const events = await ada.send('GET', '/api/audit-events?action=GUEST_DELETED');
    expect(JSON.stringify(events.body)).not.toMatch(/fritz/i);
    for (const body of [{}, { guest: '' }, { guest: 'x', userId: ada.user.id }])
      expect((await ada.send('POST', '/api/privacy/erase', body)).status).toBe(400);
  });
});

describe('deletion of an organization', () => {
  test('it requires the typed name, and after seven days deletes all rows and files of this organization only', async () => {
    const eve = await newOrganization(app);
    await runningCall(eve);
    const org = eve.user.orgId ?? '';
    await eve.send('POST', `/api/organizations/${org}/logo`, fileForm(smallPng));
    const path = `/api/organizations/${org}/deletion`;
    expect((await eve.send('POST', path, { name: 'Other' })).status).toBe(400);
    const { name } = await one('select name from organizations where id = $1', [org]);
    const asked = await eve.send('POST', path, { name });
    const { dueAt, requestedAt } = asked.body as Record<string, string>;
    expect(Date.parse(`${dueAt}`) - Date.parse(`${requestedAt}`)).toBe(7 * 86_400_000);
    await deleteDueOrganizations(app.services);
    expect((await eve.send('GET', '/api/rooms')).status).toBe(200);

    await app.owner.query(
      `update organization_deletions set requested_at = now() - interval '8 days',
        due_at = now() - interval '1 minute' where org_id = $1`,
      [org],
    );
    const others = await one('select count(*)::int as n from rooms where org_id = $1', [
      ada.user.orgId,
    ]);
    await deleteDueOrganizations(app.services);
    const tables = await app.owner.query<{ name: string }>(
      `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
          and not c.relispartition and a.attname = 'org_id' and not a.attisdropped`,
    );
    for (const { name: table } of tables.rows) {
      const left = await one(`select count(*)::int as n from ${table} where org_id = $1`, [org]);
      expect([table, left]).toEqual([table, { n: 0 }]);
    }
    expect(await one('select count(*)::int as n from organizations where id = $1', [org])).toEqual({
      n: 0,
    });
    expect(
      existsSync(`${app.filesFolder}/${org}`) ? readdirSync(`${app.filesFolder}/${org}`) : [],
    ).toEqual([]);
    expect(
      await one('select count(*)::int as n from rooms where org_id = $1', [ada.user.orgId]),
    ).toEqual(others);
    expect(await signInAgain(eve)).toMatchObject({ orgId: null, role: null });
  });

  test('it requires re-authentication, and mails the other admins', async () => {
    const eve = await newOrganization(app);
    const other = await newMember(app, eve, 'ORGADMIN');
    const agent = await newMember(app, eve, 'AGENT');
    const path = `/api/organizations/${eve.user.orgId}/deletion`;
    const { name } = await one('select name from organizations where id = $1', [eve.user.orgId]);
    await app.owner.query(
      `update sessions set confirmed_at = now() - interval '11 minutes' where account_id = $1`,
      [eve.user.id],
    );
    expect(await eve.send('POST', path, { name })).toMatchObject({
      status: 403,
      body: { code: 'confirmation_needed' },
    });
    await eve.send('POST', '/api/user/confirm', { password: 'correct horse' });
    for (let turn = 0; turn < 2; turn += 1)
      expect((await eve.send('POST', path, { name })).status).toBe(200);
    const { rows } = await app.owner.query(
      `select recipient, body_text as text from mails
        where subject = 'Your organization on Rapport will be deleted'`,
    );
    expect(rows).toEqual([
      { recipient: other.user.email, text: expect.stringContaining(`${eve.user.firstName} `) },
    ]);
    expect(rows[0].recipient).not.toBe(agent.user.email);
  });

  test('it can be canceled within the seven days', async () => {
    const eve = await newOrganization(app);
    const path = `/api/organizations/${eve.user.orgId}/deletion`;
    const { name } = await one('select name from organizations where id = $1', [eve.user.orgId]);
    await eve.send('POST', path, { name });
    expect((await eve.send('DELETE', path)).status).toBe(204);
    expect((await eve.send('GET', '/api/privacy')).body).toMatchObject({ deletion: null });
  });

  test('the application’s role can neither delete an organization nor shorten the seven days', async () => {
    const { database } = app.services;
    const org = ben.user.orgId as never;
    await expect(
      database.transaction(org, ({ query }) =>
        query(`insert into organization_deletions (org_id, due_at) values ('${org}', now())`, []),
      ),
    ).rejects.toThrow(/organization_deletions_grace/);
    const { rows } = await database.transaction(org, ({ query }) =>
      query('select delete_organization() as done', []),
    );
    expect(rows).toEqual([{ done: false }]);
    expect(await new Visitor(app).send('GET', '/api/privacy')).toMatchObject({ status: 401 });
  });
});
