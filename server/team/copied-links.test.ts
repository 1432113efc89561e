import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Role } from '#domain/auth/permissions.ts';
import * as team from '#domain/team/contract.ts';
import { sendDueMails } from '#server/mail/send-mails.ts';
import { Directory, ownDomain } from '#server/testing/directory.ts';
import { mailedToken } from '#server/testing/mailed-token.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newMember, newOrganization, Visitor } from '#server/testing/visitor.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ PUBLIC_URL: 'https://calls.example.com' });
});
afterAll(() => app.close());

let count = 0;
const newAddress = () => `owner-${++count}@victim.example`;
const person = { password: 'long enough', firstName: 'Grace', lastName: 'Hopper' };
const own = { password: 'my own password' };

async function invite(admin: Visitor, email: string, role: Role = 'AGENT'): Promise<string> {
  const { url } = await admin.call(team.inviteUser, { body: { email, role } });
  return /\/invite\/([\w-]+)/.exec(url)?.[1] ?? '';
}
/** Accepts the copied link with another person's address, as the inviting admin could. */
async function squat(admin: Visitor, email: string, role: Role = 'AGENT'): Promise<Visitor> {
  const squatter = new Visitor(app);
  const token = await invite(admin, email, role);
  const made = await squatter.send('POST', `/api/invitations/${token}/accept`, {
    ...person,
    email,
  });
  expect(made).toMatchObject({ status: 201 });
  await squatter.send('POST', '/api/login', { email, password: person.password });
  return squatter;
}
const mailed = (email: string, path: string) => mailedToken(app, email, path);
/** Sets a new password by the mailed link. Returns the owner's session and user. */
async function resetByMail(email: string): Promise<{ owner: Visitor; user: unknown }> {
  const owner = new Visitor(app);
  await owner.send('POST', '/api/forgot-password', { email });
  const token = await mailed(email, 'reset-password');
  expect((await owner.send('POST', `/api/reset-password/${token}`, own)).status).toBe(200);
  const signedIn = await owner.send('POST', '/api/login', { email, ...own });
  await sendDueMails(app.services);
  return { owner, user: signedIn.body };
}
const textTo = (email: string) =>
  app.mails.findLast(({ to, subject }) => to === email && subject.startsWith('Earlier sign-ins'))
    ?.text ?? '';

test('A8: a reset by the owner of an address ends a membership that came by an admin’s copied link', async () => {
  const mallory = await newOrganization(app);
  const email = newAddress();
  await squat(mallory, email);
  const { user } = await resetByMail(email);
  expect(user).toMatchObject({ orgId: null, role: null });
  expect(textTo(email)).toContain('ask an admin to invite you again by mail');
  const { body } = await mallory.send('GET', '/api/audit-events');
  expect(body).toContainEqual(
    expect.objectContaining({
      action: 'MEMBER_REMOVED',
      metadata: { reason: 'address_unproved' },
    }),
  );
});

test('locks held by the organization do not keep the owner of an address out of the account', async () => {
  const mallory = await newOrganization(app);
  const email = newAddress();
  const squatter = await squat(mallory, email);
  await app.owner.query('begin');
  await app.owner.query('select 1 from memberships where org_id = $1 for update', [
    mallory.user.orgId,
  ]);
  const { user } = await resetByMail(email);
  await app.owner.query('commit');
  expect(user).toMatchObject({ orgId: mallory.user.orgId });
  expect(await squatter.send('GET', '/api/user')).toMatchObject({ status: 401 });
  expect(textTo(email)).toContain('Until then, enter nothing there');
});

test('A8: a verification link followed outside of the account’s session ends a membership by a copied link', async () => {
  const mallory = await newOrganization(app);
  const email = newAddress();
  const squatter = await squat(mallory, email);
  const token = await mailed(email, 'verify-email');
  expect(await new Visitor(app).send('POST', `/api/verify-email/${token}`)).toMatchObject({
    status: 200,
    body: { newPasswordUrl: expect.any(String) },
  });
  expect(await squatter.send('GET', '/api/user')).toMatchObject({ status: 401 });
  expect(await mallory.call(team.listUsers)).toHaveLength(1);
});

test('a colleague who verifies in their own session stays a member, even after a later reset', async () => {
  const admin = await newOrganization(app);
  const email = newAddress();
  const colleague = await squat(admin, email);
  const token = await mailed(email, 'verify-email');
  await colleague.send('POST', `/api/verify-email/${token}`);
  expect(await colleague.send('GET', '/api/user')).toMatchObject({
    body: { orgId: admin.user.orgId, mustVerifyEmail: false },
  });
  expect((await resetByMail(email)).user).toMatchObject({ orgId: admin.user.orgId });
});

test('a membership by a copied link ends even if the invitation was deleted', async () => {
  const mallory = await newOrganization(app);
  const email = newAddress();
  await squat(mallory, email);
  await app.owner.query('delete from invitations where email = $1', [email]);
  expect((await resetByMail(email)).user).toMatchObject({ orgId: null });
});

test('a reset ends the membership of an unverified account that joined by a copied link while signed in', async () => {
  const [first, mallory] = [await newOrganization(app), await newOrganization(app)];
  const email = newAddress();
  const squatter = await squat(first, email);
  const invitation = await invite(mallory, email);
  const joined = await squatter.send('POST', '/api/user/membership', {
    invitation,
    leaveOrganization: true,
  });
  expect(joined).toMatchObject({ status: 200 });
  expect((await resetByMail(email)).user).toMatchObject({ orgId: null });
});

test('the only admin of other members stays admin, and the mail names the organization', async () => {
  const [mallory, elsewhere] = [await newOrganization(app), await newOrganization(app)];
  await newMember(app, mallory, 'AGENT');
  const email = newAddress();
  await squat(mallory, email, 'ORGADMIN');
  const invitation = await invite(elsewhere, mallory.user.email);
  await mallory.send('POST', '/api/user/membership', { invitation, leaveOrganization: true });
  const { user } = await resetByMail(email);
  expect(user).toMatchObject({ orgId: mallory.user.orgId, role: 'ORGADMIN' });
  expect(textTo(email)).toContain(`Your account belongs to ${mallory.user.firstName}`);
});

test('an admin who came by a copied link leaves if there is another admin', async () => {
  const mallory = await newOrganization(app);
  const email = newAddress();
  await squat(mallory, email, 'ORGADMIN');
  expect((await resetByMail(email)).user).toMatchObject({ orgId: null });
});

async function requireSso({ user }: { user: { orgId: string | null } }, emergency: string) {
  await app.owner.query('insert into sso_policies (org_id, required_at) values ($1, now())', [
    user.orgId,
  ]);
  await app.owner.query(
    `insert into sso_break_glass (org_id, account_id)
     select $1, id from accounts where email = $2`,
    [user.orgId, emergency],
  );
}
/** Makes the squatted account the only admin of an organization that requires SSO, as an attacker. */
async function captured(email: string): Promise<{ owner: Visitor; user: unknown }> {
  const mallory = await newOrganization(app);
  const other = newAddress();
  const second = await squat(mallory, other, 'ORGADMIN');
  await squat(mallory, email, 'ORGADMIN');
  await requireSso(mallory, other);
  expect((await second.send('DELETE', `/api/users/${mallory.user.id}`)).status).toBe(204);
  expect((await resetByMail(other)).user).toMatchObject({ orgId: null });
  return resetByMail(email);
}

test('R4-2: the owner of an address can sign in despite SSO that a squatter requires, and can leave', async () => {
  const email = newAddress();
  const { owner, user } = await captured(email);
  expect(user).toMatchObject({ email, role: 'ORGADMIN' });
  const corp = await newOrganization(app);
  const body = { invitation: await invite(corp, email), leaveOrganization: true };
  expect(await owner.send('POST', '/api/user/membership', body)).toMatchObject({ status: 200 });
  expect(await owner.send('GET', '/api/user')).toMatchObject({ body: { orgId: corp.user.orgId } });
});

test('R4-2: the directory of the domain’s owner can provision an account that a squatter keeps', async () => {
  const email = 'cfo@captured.example';
  await captured(email);
  const corp = await newOrganization(app);
  const directory = await Directory.of(app, corp, 'captured.example');
  const { id } = await directory.user(email);
  const { rows } = await app.owner.query('select org_id from memberships where account_id = $1', [
    id,
  ]);
  expect(rows).toEqual([{ org_id: corp.user.orgId }]);
});

test('R4-2: a directory cannot take a verified account whose membership came by no copied link', async () => {
  const jane = await newOrganization(app);
  const email = 'jane@own-choice.example';
  await app.owner.query(
    `update accounts set email = $2, verified_as_owner_at = now() where id = $1`,
    [jane.user.id, email],
  );
  const directory = await Directory.of(app, await newOrganization(app), 'own-choice.example');
  expect(await directory.ask('POST', '/Users', { userName: email })).toMatchObject({ status: 409 });
});

test('R4-2: required SSO locks no owner out of an organization that the address founded or that holds locks', async () => {
  const [founder, mallory] = [await newOrganization(app), await newOrganization(app)];
  const email = newAddress();
  await app.owner.query('update accounts set email = $2, email_verified_at = null where id = $1', [
    founder.user.id,
    email,
  ]);
  await newMember(app, founder, 'ORGADMIN').then(({ user }) => requireSso(founder, user.email));
  expect((await resetByMail(email)).user).toMatchObject({ orgId: founder.user.orgId });
  const held = newAddress();
  await squat(mallory, held);
  await requireSso(mallory, mallory.user.email);
  await app.owner.query('begin');
  await app.owner.query('select 1 from memberships where org_id = $1 for update', [
    mallory.user.orgId,
  ]);
  const { user } = await resetByMail(held);
  await app.owner.query('commit');
  expect(user).toMatchObject({ orgId: mallory.user.orgId });
});

test('R4-2, F3: required SSO applies to addresses of the organization’s domains, and to no others', async () => {
  const admin = await newOrganization(app);
  const email = 'mate@bound.example';
  const colleague = await squat(admin, email);
  await colleague.send('POST', `/api/verify-email/${await mailed(email, 'verify-email')}`);
  await requireSso(admin, admin.user.email);
  const signIn = () => new Visitor(app).send('POST', '/api/login', { ...person, email });
  expect((await signIn()).status).toBe(200);
  await ownDomain(app, admin, 'bound.example');
  await app.owner.query(
    `with connection as (
      insert into sso_connections (id, org_id, kind, name, enabled_at, entity_id, sso_url, certificates)
      values (gen_random_uuid(), $1, 'saml', 'Sign-on', now(), 'idp', 'https://idp.example', '{a}')
      returning id)
    update sso_domains set connection_id = (select id from connection) where org_id = $1`,
    [admin.user.orgId],
  );
  expect(await signIn()).toMatchObject({ status: 403, body: { code: 'sso_required' } });
});

test('the owner of the domain keeps its members, even those who came by a copied link', async () => {
  const corp = await newOrganization(app);
  await ownDomain(app, corp, 'corp-copied.example');
  const email = 'jane@corp-copied.example';
  await squat(corp, email);
  expect((await resetByMail(email)).user).toMatchObject({ orgId: corp.user.orgId });
});

test('A10: an invitation creates no account after another organization verified the domain', async () => {
  const [mallory, corp] = [await newOrganization(app), await newOrganization(app)];
  const email = 'cfo@owned-later.example';
  const token = await invite(mallory, email);
  await ownDomain(app, corp, 'owned-later.example');
  const refused = { status: 403, body: { code: 'domain_owned' } };
  const accept = () =>
    new Visitor(app).send('POST', `/api/invitations/${token}/accept`, { ...person, email });
  expect(await accept()).toMatchObject(refused);
  const { rows } = await app.owner.query('select 1 from accounts where email = $1', [email]);
  expect(rows).toEqual([]);
});

test('A10: an invitation moves no account of that domain, which stays in its organization', async () => {
  const [mallory, corp, jane] = [
    await newOrganization(app),
    await newOrganization(app),
    await newOrganization(app),
  ];
  await app.owner.query("update accounts set email = 'jane@moved-in.example' where id = $1", [
    jane.user.id,
  ]);
  const invitation = await invite(mallory, 'jane@moved-in.example');
  await ownDomain(app, corp, 'moved-in.example');
  const body = { invitation, leaveOrganization: true };
  expect(await jane.send('POST', '/api/user/membership', body)).toMatchObject({
    status: 403,
    body: { code: 'domain_owned' },
  });
  expect(await jane.send('GET', '/api/user')).toMatchObject({ body: { orgId: jane.user.orgId } });
});
