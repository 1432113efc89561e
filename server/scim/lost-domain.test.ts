import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { inviteUser } from '#domain/team/contract.ts';
import { Directory, ownDomain, patchOf } from '#server/testing/directory.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newOrganization, Visitor } from '#server/testing/visitor.ts';
import { waitingForLocks } from '#server/testing/waiting-for-locks.ts';

// What an organization does with an address because of a verified domain, while it loses the domain.

let app: TestApp;
let corp: Awaited<ReturnType<typeof newOrganization>>;
let directory: Directory;
let turns = 0;
let domain: string;
let email: string;

beforeAll(async () => {
  app = await openTestApp({ PUBLIC_URL: 'https://calls.example.com' });
  corp = await newOrganization(app);
  directory = await Directory.of(app, corp);
});
beforeEach(async () => {
  turns += 1;
  domain = `lost-${turns}.example`;
  email = `person@${domain}`;
  await ownDomain(app, corp, domain);
});
afterAll(() => app.close());

/** Sends a request while the domain is being removed, which ends once the request waits for it, or has an answer. */
async function whileRemoved<T>(send: () => Promise<T>): Promise<T> {
  const client = new pg.Client(app.ownerLogin);
  await client.connect();
  await client.query('begin');
  await client.query('delete from sso_domains where domain = $1', [domain]);
  const sent = send();
  await Promise.race([waitingForLocks(app), sent]);
  await client.query('commit');
  await client.end();
  return sent;
}
/** Gives an account of another organization the address, unverified. */
async function squat() {
  const squatter = await newOrganization(app);
  await app.owner.query('update accounts set email = $2, email_verified_at = null where id = $1', [
    squatter.user.id,
    email,
  ]);
  return squatter;
}
const replace = (id: string, value: object) =>
  directory.ask('PATCH', `/Users/${id}`, patchOf({ op: 'replace', value }));

test('R26-A1: a directory creates no account of a domain that its organization loses, and takes none in', async () => {
  expect(
    await whileRemoved(() => directory.ask('POST', '/Users', { userName: email })),
  ).toMatchObject({ status: 403, body: { scimType: 'invalidValue' } });
  await ownDomain(app, corp, domain);
  const squatter = await squat();
  expect(
    (await whileRemoved(() => directory.ask('POST', '/Users', { userName: email }))).status,
  ).toBe(403);
  expect(await squatter.send('GET', '/api/user')).toMatchObject({
    body: { orgId: squatter.user.orgId },
  });
});

test('R26-A1: it moves no address there, and activates no one', async () => {
  const elsewhere = await directory.user(`person-${turns}@directory.example`);
  const moved = await whileRemoved(() => replace(elsewhere.id, { userName: email }));
  expect(moved.status).toBe(403);
  await ownDomain(app, corp, domain);
  const inactive = await directory.user(email, { active: false });
  expect((await whileRemoved(() => replace(inactive.id, { active: true }))).status).toBe(403);
});

test('R26-A1: an invitation replaces no account of a domain that its organization loses', async () => {
  const { url } = await corp.call(inviteUser, { body: { email, role: 'AGENT' } });
  const squatter = await squat();
  await app.owner.query('delete from memberships where account_id = $1', [squatter.user.id]);
  const path = `/api/invitations/${/\/invite\/([\w-]+)/.exec(url)?.[1]}/accept`;
  const body = { email, password: 'long enough', firstName: 'Grace', lastName: 'Hopper' };
  const accepted = await whileRemoved(() => new Visitor(app).send('POST', path, body));
  expect(accepted).toMatchObject({ status: 409, body: { code: 'email_taken' } });
});

test('R26-A1: the removal of a domain waits for an account that is being created there', async () => {
  const { rows } = await app.owner.query('select id from sso_domains where domain = $1', [domain]);
  const done: string[] = [];
  const client = new pg.Client(app.ownerLogin);
  await client.connect();
  await client.query('begin');
  // The directory waits for this address.
  await client.query(
    `insert into accounts (id, email, first_name, last_name) values (gen_random_uuid(), $1, '', '')`,
    [email],
  );
  const created = directory.ask('POST', '/Users', { userName: email }).then(({ status }) => {
    done.push(`created ${status}`);
  });
  await waitingForLocks(app);
  const removed = corp.send('DELETE', `/api/sso/domains/${rows[0]?.id}`).then(({ status }) => {
    done.push(`removed ${status}`);
  });
  await Promise.race([waitingForLocks(app, 2), removed]);
  expect(done).toEqual([]);
  await client.query('rollback');
  await client.end();
  await Promise.all([created, removed]);
  expect(done.toSorted()).toEqual(['created 201', 'removed 204']);
});
