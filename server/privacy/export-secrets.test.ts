import { afterAll, beforeAll, expect, test } from 'vitest';
import { inviteUser } from '#domain/team/contract.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newMember, newOrganization, runningCall } from '#server/testing/visitor.ts';

let app: TestApp;
let admin: Awaited<ReturnType<typeof newOrganization>>;
beforeAll(async () => {
  app = await openTestApp({ PUBLIC_URL: 'https://calls.example.com' });
  admin = await newOrganization(app);
});
afterAll(() => app.close());

const guestAddress = 'guest@exported.example';

/** Returns the names of all columns that hold a secret or its hash, in any table. */
async function secretColumns(): Promise<string[]> {
  const { rows } = await app.owner.query(
    `select distinct column_name as name from information_schema.columns
      where table_schema = 'public'
        and (data_type = 'bytea' or column_name ~ '(hash|sealed|secret|token|challenge)')
      order by 1`,
  );
  return rows.map(({ name }) => name);
}
/** Creates rows of a guest in every table that is searched for guests. */
async function guestEverywhere(): Promise<void> {
  await admin.call(inviteUser, { body: { email: guestAddress, role: 'AGENT' } });
  const { call, room } = await runningCall(admin);
  const { orgId } = admin.user;
  const { rows } = await app.owner.query(
    `insert into attendances (id, org_id, call_id, kind, name)
      values (gen_random_uuid(), $1, $2, 'guest', $3) returning id`,
    [orgId, call.id, guestAddress],
  );
  const attendance = rows[0].id;
  await app.owner.query(
    `insert into chat_messages (id, org_id, call_id, participant_id, kind, name, text, client_id)
      values (gen_random_uuid(), $1, $2, $3, 'guest', $4, 'Hello', '1')`,
    [orgId, call.id, attendance, guestAddress],
  );
  await app.owner.query(
    `insert into ratings (id, org_id, call_id, attendance_id, kind, score)
      values (gen_random_uuid(), $1, $2, $3, 'guest', 5)`,
    [orgId, call.id, attendance],
  );
  await app.owner.query(
    `insert into lobby_entries (participant_id, org_id, room_id, name)
      values (gen_random_uuid(), $1, $2, $3)`,
    [orgId, room.id, guestAddress],
  );
}
/** Returns the names of the columns of each section. */
function columnsOf(body: unknown): Record<string, string[]> {
  const sections = Object.entries(Object(body)).filter(([, rows]) => Array.isArray(rows));
  return Object.fromEntries(
    sections.map(([section, rows]) => [
      section,
      [...new Set([rows].flat(2).flatMap((row) => Object.keys(Object(row))))].sort(),
    ]),
  );
}

test('no export has a column that holds a secret or its hash', async () => {
  const secrets = await secretColumns();
  expect(secrets).toEqual(expect.arrayContaining(['mailed_token_hash', 'password_hash']));
  const member = await newMember(app, admin, 'AGENT');
  await app.owner.query(
    `insert into passkeys (id, account_id, credential_id, public_key, counter, transports, name, backed_up)
      values (gen_random_uuid(), $1, 'x', '\\x00', 0, '{}', 'Own', false)`,
    [member.user.id],
  );
  await app.owner.query(
    `insert into invitations (id, org_id, email, role, token_hash, mailed_token_hash, expires_at)
      values (gen_random_uuid(), $1, $2, 'AGENT', '\\x01', '\\x02', now())`,
    [admin.user.orgId, member.user.email],
  );
  await guestEverywhere();
  for (const [visitor, path] of [
    [member, '/api/user/export'],
    [admin, '/api/user/export'],
    [admin, `/api/privacy/person?userId=${member.user.id}`],
    [admin, `/api/privacy/person?guest=${guestAddress}`],
  ] as const) {
    const { status, body } = await visitor.send('GET', path);
    expect(status).toBe(200);
    for (const [section, columns] of Object.entries(columnsOf(body)))
      expect([path, section, columns.filter((name) => secrets.includes(name))]).toEqual([
        path,
        section,
        [],
      ]);
  }
});

test('the columns of a guest’s export match this list, so that new ones are reviewed', async () => {
  const { body } = await admin.send('GET', `/api/privacy/person?guest=${guestAddress}`);
  const columns = Object.entries(columnsOf(body)).map(([name, each]) => [name, each.join(' ')]);
  expect(Object.fromEntries(columns)).toEqual({
    attendances: 'account_id browser_id call_id id joined_at kind last_seen_at left_at name org_id',
    audit_events: '',
    chat_messages: 'call_id id kind name org_id participant_id sent_at text',
    invitations:
      'accepted_at accepted_by cancelled_at cancelled_by created_at created_by email expires_at id org_id role',
    lobby_entries:
      'address browser_id decided_at decided_by guest_link_id is_of_program left_at mailed_at name org_id participant_id program_id room_id said said_by seen_at state waiting_since',
    ratings: 'account_id attendance_id call_id created_at feedback id kind org_id score updated_at',
  });
});
