import { afterAll, beforeAll, expect, test } from 'vitest';
import { Directory } from '#server/testing/directory.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newMember, newOrganization, runningCall, Visitor } from '#server/testing/visitor.ts';

// Erasing and exporting a person affects the rows of the requesting organization, and no others.

type Organization = Awaited<ReturnType<typeof newOrganization>>;
let app: TestApp;
let ada: Organization;
let ben: Organization;
beforeAll(async () => {
  app = await openTestApp();
  ada = await newOrganization(app);
  ben = await newOrganization(app);
});
afterAll(() => app.close());

const rowsOf = async (sql: string, ...values: unknown[]) =>
  (await app.owner.query(sql, values)).rows;

/** A member of `first` who took part in a call there, and then moved to `second`. */
async function personOfBoth(first: Organization, second: Organization) {
  const person = await newMember(app, first, 'AGENT');
  const { call } = await runningCall(first);
  for (const of of [first, second]) {
    const callId = of === first ? call.id : (await runningCall(second)).call.id;
    const [attendance] = await rowsOf(
      `insert into attendances (id, org_id, call_id, kind, account_id, name)
        values (gen_random_uuid(), $1, $2, 'staff', $3, 'Bob') returning id`,
      of.user.orgId,
      callId,
      person.user.id,
    );
    await rowsOf(
      `insert into chat_messages (id, org_id, call_id, participant_id, kind, name, text, client_id)
        values (gen_random_uuid(), $1, $2, $3, 'staff', 'Bob', 'words', '1')`,
      of.user.orgId,
      callId,
      attendance.id,
    );
    await rowsOf(
      `insert into ratings (id, org_id, call_id, kind, account_id, score, feedback)
        values (gen_random_uuid(), $1, $2, 'staff', $3, 9, 'good')`,
      of.user.orgId,
      callId,
      person.user.id,
    );
    await rowsOf(
      `insert into invitations (id, org_id, email, role, token_hash, expires_at)
        values (gen_random_uuid(), $1, $2, 'AGENT', $3, now() + interval '1 day')`,
      of.user.orgId,
      person.user.email,
      Buffer.from(`${person.user.email}${of.user.orgId}`),
    );
  }
  await rowsOf(
    `insert into mails (id, recipient, org_id, kind, subject, body_text, body_html)
      values (gen_random_uuid(), $1, $2, 'invitation', 'Join Project Falcon', '', '')`,
    person.user.email,
    first.user.orgId,
  );
  await rowsOf(
    'update memberships set org_id = $1 where account_id = $2',
    second.user.orgId,
    person.user.id,
  );
  return person;
}

const heldBy = async (of: Organization, email: string) => ({
  words: await rowsOf('select text from chat_messages where org_id = $1', of.user.orgId),
  feedback: await rowsOf('select feedback from ratings where org_id = $1', of.user.orgId),
  names: await rowsOf(
    "select name, account_id is null as gone from attendances where org_id = $1 and kind = 'staff' and name in ('Bob', 'Deleted person')",
    of.user.orgId,
  ),
  invitations: await rowsOf(
    'select email from invitations where org_id = $1 and email = $2',
    of.user.orgId,
    email,
  ),
});

test('K2: erasing a member anonymizes only this organization’s rows, and the account stays', async () => {
  const [first, second] = [await newOrganization(app), await newOrganization(app)];
  const person = await personOfBoth(first, second);
  const { id, email } = person.user;
  const erased = await second.send('POST', '/api/privacy/erase', { userId: id });
  expect(erased).toMatchObject({ status: 200, body: { erased: 1 } });
  expect(await heldBy(first, email)).toEqual({
    words: [{ text: 'words' }],
    feedback: [{ feedback: 'good' }],
    names: [{ name: 'Bob', gone: false }],
    invitations: [{ email }],
  });
  expect(await heldBy(second, email)).toEqual({
    words: [],
    feedback: [{ feedback: null }],
    names: [{ name: 'Deleted person', gone: true }],
    invitations: [],
  });
  expect(await rowsOf('select subject from mails where recipient = $1', email)).toEqual([
    { subject: 'Join Project Falcon' },
  ]);
  const again = new Visitor(app);
  const said = await again.send('POST', '/api/login', { email, password: 'correct horse' });
  expect(said).toMatchObject({ status: 200, body: { id, orgId: null } });
});

test('the log of the organization that erased a person shows a pseudonym as the actor', async () => {
  const bob = await newMember(app, ada, 'AGENT');
  await bob.send('POST', '/api/rooms', { topic: 'Of Bob' });
  await ada.send('POST', '/api/privacy/erase', { userId: bob.user.id });
  const log = await ada.send('GET', `/api/audit-events?userId=${bob.user.id}`);
  expect(log.body).toMatchObject([{ action: 'ROOM_CREATED', actor: { name: 'Deleted person' } }]);
  const choices = await ada.send('GET', '/api/audit-events/choices');
  expect(JSON.stringify(choices.body)).not.toContain(bob.user.lastName);
});

test('deleting one’s own account leaves the records of other organizations', async () => {
  const [first, second] = [await newOrganization(app), await newOrganization(app)];
  const person = await personOfBoth(first, second);
  const { email } = person.user;
  const body = { email, password: 'correct horse' };
  expect((await person.send('POST', '/api/user/delete', body)).status).toBe(204);
  expect(await heldBy(first, email)).toEqual({
    words: [{ text: 'words' }],
    feedback: [{ feedback: 'good' }],
    names: [{ name: 'Bob', gone: true }],
    invitations: [{ email }],
  });
  expect((await heldBy(second, email)).words).toEqual([]);
  expect(await rowsOf('select 1 from accounts where email = $1', email)).toEqual([]);
});

test('erasing a member deletes an account that the organization’s directory created on its verified domain', async () => {
  const directory = await Directory.of(app, ada, 'made.example');
  const { id } = await directory.user('made@made.example');
  const taken = await newOrganization(app);
  await rowsOf("update accounts set email = 'taken@made.example' where id = $1", taken.user.id);
  await rowsOf('delete from memberships where account_id = $1', taken.user.id);
  await directory.user('taken@made.example');
  for (const userId of [id, taken.user.id])
    expect((await ada.send('POST', '/api/privacy/erase', { userId })).status).toBe(200);
  expect(await rowsOf("select email from accounts where email like '%@made.example'")).toEqual([
    { email: 'taken@made.example' },
  ]);
});

test('H1: erasing a guest by address deletes no mail of the account or of other organizations', async () => {
  const victim = await newOrganization(app);
  const { email } = victim.user;
  await ben.send('POST', '/api/users/invite', { email, role: 'AGENT' });
  await rowsOf(
    `insert into mails (id, recipient, kind, subject, body_text, body_html)
      values (gen_random_uuid(), $1, 'security', 'Reset your Rapport password', '', '')`,
    email,
  );
  expect((await ben.send('POST', '/api/privacy/erase', { guest: email })).status).toBe(200);
  expect(
    await rowsOf("select subject from mails where recipient = $1 and subject like 'Reset%'", email),
  ).toEqual([{ subject: 'Reset your Rapport password' }]);
});

test('M9: an admin’s export of a member has no sessions, devices, or mails from elsewhere; the member’s own has them', async () => {
  const bob = await personOfBoth(ben, ada);
  await rowsOf(
    `insert into mails (id, recipient, kind, subject, body_text, body_html)
      values (gen_random_uuid(), $1, 'security', 'Reset your Rapport password', '', '')`,
    bob.user.email,
  );
  const path = `/api/privacy/person?userId=${bob.user.id}`;
  const held = (await ada.send('GET', path)).body as Record<string, unknown[]>;
  expect(held.account).toEqual([
    {
      id: bob.user.id,
      email: bob.user.email,
      first_name: bob.user.firstName,
      last_name: bob.user.lastName,
      profile_image_url: null,
    },
  ]);
  expect(held['attendances.account_id']).toHaveLength(1);
  expect(Object.keys(held)).not.toContain('sessions.account_id');
  expect(Object.keys(held)).not.toContain('account_devices.account_id');
  expect(JSON.stringify(held)).not.toContain('Falcon');
  const own = (await bob.send('GET', '/api/user/export')).body as Record<string, unknown[]>;
  expect(own['sessions.account_id']?.length).toBeGreaterThan(0);
  expect(own.mails).toMatchObject([{ subject: 'Reset your Rapport password' }]);
});

test('an account with an unverified address exports no mails to that address', async () => {
  const squatter = await newOrganization(app);
  await rowsOf(
    `insert into mails (id, recipient, kind, subject, body_text, body_html)
      values (gen_random_uuid(), $1, 'security', 'Reset your Rapport password', '', '')`,
    squatter.user.email,
  );
  await rowsOf('update accounts set email_verified_at = null where id = $1', squatter.user.id);
  const own = (await squatter.send('GET', '/api/user/export')).body as Record<string, unknown[]>;
  expect(own.mails).toEqual([]);
});
