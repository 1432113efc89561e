import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { register } from '#domain/auth/contract.ts';
import * as team from '#domain/team/contract.ts';
import { sendDueMails } from '#server/mail/send-mails.ts';
import { ownDomain } from '#server/testing/directory.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newMember, newOrganization, Visitor } from '#server/testing/visitor.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ PUBLIC_URL: 'https://calls.example.com' });
});
afterAll(() => app.close());

let count = 0;
const newAddress = () => `joining-${++count}@example.com`;
const person = { password: 'long enough', firstName: 'Grace', lastName: 'Hopper' };
const tokenIn = (text: string) => /\/invite\/([\w-]+)/.exec(text)?.[1] ?? '';

/** Invites an address. @returns the tokens of the copied link and of the mailed link */
async function invite(admin: Visitor, email: string) {
  const { url } = await admin.call(team.inviteUser, { body: { email, role: 'AGENT' } });
  await sendDueMails(app.services);
  const mail = app.mails.findLast(({ to, text }) => to === email && tokenIn(text) !== '');
  return { copied: tokenIn(url), mailed: tokenIn(mail?.text ?? '') };
}
async function subjectsTo(email: string): Promise<string[]> {
  await sendDueMails(app.services);
  return app.mails.filter(({ to }) => to === email).map(({ subject }) => subject);
}
const accept = (token: string, email: string) =>
  new Visitor(app).send('POST', `/api/invitations/${token}/accept`, { ...person, email });
const join = (visitor: Visitor, invitation: string, body: object = {}) =>
  visitor.send('POST', '/api/user/membership', { invitation, ...body });
async function isVerified(email: string): Promise<boolean> {
  const { rows } = await app.owner.query(
    'select email_verified_at is not null as verified from accounts where email = $1',
    [email],
  );
  return rows[0].verified;
}
/** An account without an organization: registered, then removed from its organization. */
async function newLoner(email: string): Promise<Visitor> {
  const loner = new Visitor(app);
  const { id } = await loner.call(register, { body: { ...person, email } });
  await app.owner.query('delete from memberships where account_id = $1', [id]);
  await loner.send('POST', '/api/login', { email, password: person.password });
  return loner;
}

test('K1: only the mailed link verifies the address, not the link that the inviting admin can read', async () => {
  const mallory = await newOrganization(app);
  const [ceo, cfo] = [newAddress(), newAddress()];
  const first = await invite(mallory, ceo);
  const second = await invite(mallory, cfo);
  expect(first.mailed).not.toBe(first.copied);
  expect(await accept(first.copied, ceo)).toMatchObject({ status: 201 });
  expect(await accept(second.mailed, cfo)).toMatchObject({ status: 201 });
  expect([await isVerified(ceo), await isVerified(cfo)]).toEqual([false, true]);
  const signIn = { email: ceo, password: person.password };
  expect(await new Visitor(app).send('POST', '/api/login', signIn)).toMatchObject({
    body: { mustVerifyEmail: true },
  });
});

test('the response to the inviting admin never contains the mailed token', async () => {
  const admin = await newOrganization(app);
  const email = newAddress();
  const sent = await admin.call(team.inviteUser, { body: { email, role: 'AGENT' } });
  await sendDueMails(app.services);
  const again = await admin.call(team.resendInvitation, { params: { id: sent.id } });
  await sendDueMails(app.services);
  const mailed = app.mails.filter(({ to }) => to === email).map(({ text }) => tokenIn(text));
  expect(mailed).toHaveLength(2);
  for (const token of mailed) expect(JSON.stringify([sent, again])).not.toContain(token);
});

test('accepting one of the two links of an invitation invalidates the other', async () => {
  const admin = await newOrganization(app);
  const email = newAddress();
  const { copied, mailed } = await invite(admin, email);
  expect(await accept(mailed, email)).toMatchObject({ status: 201 });
  expect(await accept(copied, email)).toMatchObject({ status: 410 });
});

test('an invitation to an existing account answers the form with 409, and its owner joins while signed in', async () => {
  const admin = await newOrganization(app);
  const email = newAddress();
  const grace = await newLoner(email);
  const { mailed } = await invite(admin, email);
  expect(await new Visitor(app).send('GET', `/api/invitations/${mailed}`)).toMatchObject({
    body: { email, hasAccount: true },
  });
  const taken = await accept(mailed, email);
  expect(taken).toMatchObject({ status: 409, body: { code: 'email_taken' } });
  expect(await join(new Visitor(app), mailed)).toMatchObject({ status: 401 });
  const before = grace.cookie;
  expect(await join(grace, mailed)).toMatchObject({ status: 200, body: { mustSignIn: false } });
  expect(await grace.send('GET', '/api/user')).toMatchObject({
    body: { orgId: admin.user.orgId, role: 'AGENT', mustVerifyEmail: false },
  });
  expect(grace.cookie, 'rights have changed, and so has the token').not.toBe(before);
  const password = { email, password: person.password };
  expect(await new Visitor(app).send('POST', '/api/login', password)).toMatchObject({
    status: 200,
  });
});

test('L9: a former member who is invited again joins with the same account', async () => {
  const admin = await newOrganization(app);
  const email = newAddress();
  const first = await invite(admin, email);
  const made = await accept(first.mailed, email);
  const { id } = made.body as { id: string };
  expect(await admin.send('DELETE', `/api/users/${id}`)).toMatchObject({ status: 204 });
  const grace = new Visitor(app);
  await grace.send('POST', '/api/login', { email, password: person.password });
  const second = await invite(admin, email);
  expect(await join(grace, second.copied)).toMatchObject({ status: 200 });
  expect(await grace.send('GET', '/api/user')).toMatchObject({
    body: { id, orgId: admin.user.orgId },
  });
});

test('only the account with the invited address can join by an invitation', async () => {
  const admin = await newOrganization(app);
  const eve = await newLoner(newAddress());
  const { mailed } = await invite(admin, newAddress());
  expect(await join(eve, mailed)).toMatchObject({ status: 409, body: { code: 'other_account' } });
  expect(await eve.send('GET', '/api/user')).toMatchObject({ body: { orgId: null } });
});

test('a member of another organization must leave it to join', async () => {
  const admin = await newOrganization(app);
  const old = await newOrganization(app);
  const member = await newMember(app, old, 'AGENT');
  const { mailed } = await invite(admin, member.user.email);
  expect(await join(member, mailed)).toMatchObject({
    status: 409,
    body: { code: 'in_other_organization' },
  });
  expect(await join(member, mailed, { leaveOrganization: true })).toMatchObject({ status: 200 });
  expect(await member.send('GET', '/api/user')).toMatchObject({
    body: { orgId: admin.user.orgId },
  });
  const events = await old.send('GET', '/api/audit-events');
  expect(JSON.stringify(events.body)).toContain('MEMBER_LEFT');
});

test('the last admin of other members cannot leave; a sole member can, and the empty organization is deleted later', async () => {
  const admin = await newOrganization(app);
  const [boss, solo] = [await newOrganization(app), await newOrganization(app)];
  await newMember(app, boss, 'AGENT');
  const ofBoss = await invite(admin, boss.user.email);
  const ofSolo = await invite(admin, solo.user.email);
  const leave = { leaveOrganization: true };
  expect(await join(boss, ofBoss.mailed, leave)).toMatchObject({
    status: 409,
    body: { code: 'last_admin' },
  });
  expect(await boss.send('GET', '/api/user')).toMatchObject({ body: { orgId: boss.user.orgId } });
  expect(await join(solo, ofSolo.mailed, leave)).toMatchObject({ status: 200 });
  const { rows } = await app.owner.query(
    "select due_at > now() + interval '6 days' as later from organization_deletions where org_id = $1",
    [solo.user.orgId],
  );
  expect(rows).toEqual([{ later: true }]);
});

test('a used invitation cannot be used to join again', async () => {
  const admin = await newOrganization(app);
  const email = newAddress();
  const grace = await newLoner(email);
  const { mailed, copied } = await invite(admin, email);
  await join(grace, mailed);
  expect(await join(grace, copied)).toMatchObject({ status: 410 });
});

test('the owner of a verified domain reclaims an unverified account by inviting its staff', async () => {
  const corp = await newOrganization(app);
  const domain = `corp-${++count}.example`;
  await app.owner.query(
    `insert into sso_domains (id, org_id, domain, token, verified_at)
     values (gen_random_uuid(), $1, $2, 'x', now())`,
    [corp.user.orgId, domain],
  );
  const email = `ceo@${domain}`;
  const squatter = new Visitor(app);
  const names = { password: 'squatting', firstName: 'Not', lastName: 'You' };
  // Registers before the domain is verified, because registering at a verified domain is refused.
  await app.owner.query('update sso_domains set verified_at = null where domain = $1', [domain]);
  await squatter.call(register, { body: { ...names, email } });
  await app.owner.query('update sso_domains set verified_at = now() where domain = $1', [domain]);
  const { mailed } = await invite(corp, email);
  expect(await new Visitor(app).send('GET', `/api/invitations/${mailed}`)).toMatchObject({
    body: { hasAccount: false },
  });
  expect(await accept(mailed, email)).toMatchObject({
    status: 201,
    body: { orgId: corp.user.orgId, firstName: 'Grace' },
  });
  expect(await squatter.send('GET', '/api/user')).toMatchObject({ status: 401 });
  const signIn = (password: string) =>
    new Visitor(app).send('POST', '/api/login', { email, password });
  expect(await signIn('squatting')).toMatchObject({ status: 401 });
  expect(await signIn(person.password)).toMatchObject({ body: { mustVerifyEmail: false } });
});

test('an organization cannot reclaim an account of a domain that it does not own', async () => {
  const admin = await newOrganization(app);
  const other = new Visitor(app);
  const email = newAddress();
  await other.call(register, { body: { ...person, email } });
  const { mailed } = await invite(admin, email);
  expect(await accept(mailed, email)).toMatchObject({ status: 409, body: { code: 'email_taken' } });
  expect(await other.send('GET', '/api/user')).toMatchObject({ status: 200 });
});

test('a join that waits while the owner resets the password gives no session', async () => {
  const admin = await newOrganization(app);
  const mallory = await newOrganization(app);
  const { id, email, orgId } = mallory.user;
  const { copied } = await invite(admin, email);
  const lock = new pg.Client(app.ownerLogin);
  await lock.connect();
  await lock.query('begin');
  await lock.query('select 1 from memberships where org_id = $1 for update', [orgId]);
  const joining = join(mallory, copied, { leaveOrganization: true });
  await expect
    .poll(async () => {
      const { rows } = await app.owner.query(
        "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      return rows.length;
    })
    .toBeGreaterThan(0);
  // As a reset does.
  await app.owner.query('delete from sessions where account_id = $1', [id]);
  await lock.query('rollback');
  await lock.end();
  expect(await joining).toMatchObject({ status: 401 });
  const { rows } = await app.owner.query('select 1 from sessions where account_id = $1', [id]);
  expect(rows).toEqual([]);
});

test('leaving requires re-authentication, and joining does not count as one', async () => {
  const admin = await newOrganization(app);
  const member = await newMember(app, await newOrganization(app), 'AGENT');
  const { mailed } = await invite(admin, member.user.email);
  const leave = { leaveOrganization: true };
  const age = () =>
    app.owner.query(
      "update sessions set confirmed_at = now() - interval '1 hour' where account_id = $1",
      [member.user.id],
    );
  await age();
  expect(await join(member, mailed, leave)).toMatchObject({
    status: 403,
    body: { code: 'confirmation_needed' },
  });
  await member.send('POST', '/api/user/confirm', { password: 'correct horse' });
  expect(await join(member, mailed, leave)).toMatchObject({ status: 200 });
  await age();
  const again = await invite(await newOrganization(app), member.user.email);
  await app.owner.query('delete from memberships where account_id = $1', [member.user.id]);
  await member.send('POST', '/api/login', { email: member.user.email, password: 'correct horse' });
  await age();
  expect(await join(member, again.copied)).toMatchObject({ status: 200 });
  expect(await member.send('POST', '/api/user/passkeys/options')).toMatchObject({
    status: 403,
    body: { code: 'confirmation_needed' },
  });
});

test('leaving is mailed to the person, and ends all their sessions except the requesting one', async () => {
  const admin = await newOrganization(app);
  const solo = await newOrganization(app);
  const other = new Visitor(app);
  await other.send('POST', '/api/login', { email: solo.user.email, password: 'correct horse' });
  const { mailed } = await invite(admin, solo.user.email);
  expect(await join(solo, mailed, { leaveOrganization: true })).toMatchObject({ status: 200 });
  expect(await other.send('GET', '/api/user')).toMatchObject({ status: 401 });
  expect(await solo.send('GET', '/api/user')).toMatchObject({ body: { orgId: admin.user.orgId } });
  expect(await subjectsTo(solo.user.email)).toContain('You left your organization on Rapport');
});

test('F5: joining the owner of the address’s domain removes earlier ways to sign in, and keeps the session', async () => {
  const corp = await newOrganization(app);
  const email = 'grace@joining-corp.example';
  const grace = await newLoner(email);
  const thief = new Visitor(app);
  await thief.send('POST', '/api/login', { email, password: person.password });
  await ownDomain(app, corp, email.split('@')[1] ?? '');
  const { mailed } = await invite(corp, email);
  expect(await join(grace, mailed)).toMatchObject({ status: 200 });
  expect((await thief.send('GET', '/api/user')).status).toBe(401);
  expect(await grace.send('GET', '/api/user')).toMatchObject({ body: { orgId: corp.user.orgId } });
  expect(await subjectsTo(email)).toContain('Your Rapport account joined your organization');
});

test('joining by a mailed link, which first verifies the address, mails what it removed', async () => {
  const admin = await newOrganization(app);
  const subject = 'Earlier sign-ins to your Rapport account were removed';
  for (const others of [0, 1]) {
    const email = newAddress();
    const grace = await newLoner(email);
    for (let n = 0; n < others; n += 1)
      await new Visitor(app).send('POST', '/api/login', { email, password: person.password });
    const { mailed } = await invite(admin, email);
    expect(await join(grace, mailed)).toMatchObject({ status: 200 });
    expect((await subjectsTo(email)).includes(subject)).toBe(others > 0);
  }
});
