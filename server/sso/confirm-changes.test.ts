import { afterAll, beforeAll, expect, test } from 'vitest';
import { createScimToken } from '#domain/scim/contract.ts';
import { claimDomain, createConnection } from '#domain/sso/contract.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { samlConnection } from '#server/testing/requests.ts';
import { fakeRecords } from '#server/testing/sso-organization.ts';
import { newMember, newOrganization } from '#server/testing/visitor.ts';

const dns = fakeRecords();
let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ PUBLIC_URL: 'https://calls.example.com' });
  app.services.outside.txtRecords = dns.txtRecords;
});
afterAll(() => app.close());

type Admin = Awaited<ReturnType<typeof newOrganization>>;

/** Every change to sign-in settings, in an order in which all of them succeed. */
async function changesOf(admin: Admin) {
  const { id } = await admin.call(createConnection, { body: { kind: 'saml', name: 'Sign-on' } });
  const claimed = await admin.call(claimDomain, { body: { domain: `${id}.example` } });
  dns.records.set(claimed.recordName, [claimed.recordText]);
  const token = await admin.call(createScimToken, { body: { name: 'x', expiresInDays: null } });
  const orphan = await admin.call(createScimToken, { body: { name: 'y', expiresInDays: null } });
  await app.owner.query(
    `update scim_tokens set orphaned_at = now(), expires_at = now() + interval '1 day' where id = $1`,
    [orphan.id],
  );
  const connection = `/api/sso/connections/${id}`;
  const domain = `/api/sso/domains/${claimed.id}`;
  return [
    ['POST', '/api/sso/connections', { kind: 'oidc', name: 'Another' }],
    ['PUT', connection, samlConnection({ name: 'Sign-on', enabled: false })],
    ['POST', `${domain}/verify`, undefined],
    ['PUT', domain, { connectionId: null }],
    ['PUT', '/api/sso/policy', { required: false, breakGlass: [admin.user.id] }],
    ['DELETE', domain, undefined],
    ['DELETE', connection, undefined],
    ['POST', '/api/scim-tokens', { name: 'z', expiresInDays: null }],
    ['POST', `/api/scim-tokens/${token.id}/rotate`, { overlapHours: 24 }],
    ['POST', `/api/scim-tokens/${orphan.id}/adopt`, undefined],
  ] as const;
}
const confirmedAgo = (admin: Admin, minutes: number) =>
  app.owner.query(
    'update sessions set confirmed_at = now() - make_interval(mins => $2) where account_id = $1',
    [admin.user.id, minutes],
  );
async function mailsTo(admin: Admin): Promise<string[]> {
  const { rows } = await app.owner.query(
    `delete from mails where recipient = $1 and kind = 'security' and subject like 'The sign-in settings%'
      returning body_text as text`,
    [admin.user.email],
  );
  return rows.map(({ text }) => text);
}

test('A14: a session without recent re-authentication cannot change sign-in settings', async () => {
  const admin = await newOrganization(app);
  const changes = await changesOf(admin);
  await confirmedAgo(admin, 11);
  for (const [method, path, body] of changes)
    expect([method, path, await admin.send(method, path, body)]).toMatchObject([
      method,
      path,
      { status: 403, body: { code: 'confirmation_needed' } },
    ]);
});

test('G14: a session without recent re-authentication cannot claim a domain, which the job would verify', async () => {
  const admin = await newOrganization(app);
  await confirmedAgo(admin, 11);
  const refused = { status: 403, body: { code: 'confirmation_needed' } };
  const claim = () => admin.send('POST', '/api/sso/domains', { domain: 'stale.example' });
  expect(await claim()).toMatchObject(refused);
  await confirmedAgo(admin, 9);
  expect((await claim()).status).toBe(201);
});

test('A14: each change is mailed to the other admins only, with the acting admin’s name', async () => {
  const admin = await newOrganization(app);
  const other = await newMember(app, admin, 'ORGADMIN');
  const agent = await newMember(app, admin, 'AGENT');
  const changes = await changesOf(admin);
  await mailsTo(other);
  for (const [method, path, body] of changes) {
    const { status } = await admin.send(method, path, body);
    expect([method, path, status]).toEqual([method, path, expect.toBeOneOf([200, 201, 204])]);
    expect([path, await mailsTo(other)]).toEqual([
      path,
      [expect.stringContaining(`${admin.user.firstName} ${admin.user.lastName} changed or added`)],
    ]);
  }
  expect([await mailsTo(admin), await mailsTo(agent)]).toEqual([[], []]);
});

test('A14: repeated changes send at most thirty mails to an admin', async () => {
  const admin = await newOrganization(app);
  const other = await newMember(app, admin, 'ORGADMIN');
  for (let turn = 0; turn < 35; turn += 1) {
    const breakGlass = turn % 2 === 0 ? [admin.user.id] : [];
    const saved = await admin.send('PUT', '/api/sso/policy', { required: false, breakGlass });
    expect(saved.status).toBe(200);
  }
  expect(await mailsTo(other)).toHaveLength(30);
});
