import { afterAll, beforeAll, expect, test } from 'vitest';
import { claimDomain, readSso, verifyDomain } from '#domain/sso/contract.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { fakeRecords, newSsoOrganization } from '#server/testing/sso-organization.ts';
import { newMember, newOrganization } from '#server/testing/visitor.ts';
import { checkDomains } from './jobs.ts';

const dns = fakeRecords();
let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
  app.services.outside.txtRecords = dns.txtRecords;
});
afterAll(() => app.close());

async function claim(domain: string) {
  const admin = await newOrganization(app);
  const claimed = await admin.call(claimDomain, { body: { domain } });
  const check = () => admin.send('POST', verifyDomain.path.replace(':id', claimed.id));
  const publish = () => dns.records.set(claimed.recordName, [claimed.recordText]);
  return { admin, claimed, check, publish };
}

/** Returns the subjects of the security mails to these people, and forgets them. */
async function mailsTo(people: { user: { email: string } }[]): Promise<string[]> {
  const { rows } = await app.owner.query(
    `delete from mails where kind = 'security' and recipient = any ($1) returning subject`,
    [people.map(({ user }) => user.email)],
  );
  return rows.map(({ subject }) => subject);
}

test('a domain is verified by its TXT record, and not before the record exists', async () => {
  const { claimed, check } = await claim('one.example');
  expect(claimed).toMatchObject({
    recordName: '_rapport.one.example',
    recordText: expect.stringMatching(/^rapport-verification=[\w-]{22}$/),
    verifiedAt: null,
  });
  dns.records.set(claimed.recordName, ['rapport-verification=another']);
  expect(await check()).toMatchObject({ status: 200, body: { verifiedAt: null } });
  dns.records.set(claimed.recordName, ['v=spf1 -all', claimed.recordText]);
  expect(await check()).toMatchObject({ status: 200, body: { verifiedAt: expect.any(String) } });
});

test('a domain belongs to the organization that verifies it first', async () => {
  const first = await claim('two.example');
  const second = await claim('two.example');
  const both = [first.claimed.recordText, second.claimed.recordText];
  dns.records.set(first.claimed.recordName, both);
  expect((await first.check()).status).toBe(200);
  expect(await second.check()).toMatchObject({ status: 409, body: { code: 'domain_taken' } });
});

test('free-mail domains and invalid domain names cannot be claimed', async () => {
  const admin = await newOrganization(app);
  for (const domain of ['gmail.com', 'GMX.de', 'outlook.com'])
    expect(await admin.send('POST', claimDomain.path, { domain })).toMatchObject({
      status: 400,
      body: { code: 'free_mail_domain' },
    });
  for (const domain of [
    '',
    'com',
    'a..b',
    '-a.example',
    'http://a.example',
    '1.2.3.4',
    'a b.example',
  ])
    expect([domain, (await admin.send('POST', claimDomain.path, { domain })).status]).toEqual([
      domain,
      400,
    ]);
});

test('the check is repeated, and a domain whose record is missing for a week loses its verification', async () => {
  const { admin, domain } = await newSsoOrganization(app, dns, 'three.example', 'saml');
  const name = `_rapport.${domain}`;
  const isVerified = async () => (await admin.call(readSso)).domains[0]?.verifiedAt !== null;
  const kept = dns.records.get(name);
  dns.records.set(name, []);
  await checkDomains(app.services);
  expect(await isVerified()).toBe(true);
  // Restored within the week, so nothing is lost.
  dns.records.set(name, kept ?? []);
  await checkDomains(app.services);
  dns.records.set(name, []);
  await checkDomains(app.services);
  await app.owner.query(`update sso_domains set missing_since = now() - interval '8 days'
    where domain = 'three.example'`);
  // Name servers that do not answer change nothing.
  dns.records.set(name, null);
  await checkDomains(app.services);
  expect(await isVerified()).toBe(true);
  dns.records.set(name, []);
  await checkDomains(app.services);
  expect(await isVerified()).toBe(false);
  const start = await admin.send('POST', '/api/sso/start', { email: 'x@three.example' });
  expect(start).toMatchObject({ status: 404, body: { code: 'no_sso_for_domain' } });
  const { rows } = await app.owner.query(
    `select 1 from audit_events where action = 'SSO_DOMAIN_LOST' and actor_kind = 'system'`,
  );
  expect(rows.length).toBe(1);
});

test('G7: admins are mailed when a verified domain’s record goes missing, and when the verification is lost', async () => {
  const { admin, domain } = await newSsoOrganization(app, dns, 'lapsing.example', 'saml');
  const second = await newMember(app, admin, 'ORGADMIN');
  const agent = await newMember(app, admin, 'AGENT');
  const news = async () =>
    (await mailsTo([admin, second, agent])).filter((each) => each.includes(domain));
  dns.records.set(`_rapport.${domain}`, []);
  for (let turn = 0; turn < 2; turn += 1) await checkDomains(app.services);
  const missing = `The TXT record of ${domain} is missing`;
  expect(await news()).toEqual([missing, missing]);
  const endsAt = (await admin.call(readSso)).domains[0]?.endsAt ?? '';
  const day = 86_400_000;
  expect(Math.round((Date.parse(endsAt) - Date.now()) / day)).toBe(7);
  await app.owner.query(
    `update sso_domains set missing_since = now() - interval '8 days' where domain = $1`,
    [domain],
  );
  await checkDomains(app.services);
  const lost = `${domain} has lost its verification on Rapport`;
  expect(await news()).toEqual([lost, lost]);
  const { rows } = await app.owner.query(
    `select action from audit_events where org_id = $1 and actor_kind = 'system' order by id`,
    [admin.user.orgId],
  );
  expect(rows.map(({ action }) => action)).toEqual([
    'SSO_DOMAIN_RECORD_MISSING',
    'SSO_DOMAIN_LOST',
  ]);
});

test('G14: a domain that the job verifies is mailed to all admins', async () => {
  const { admin, claimed } = await claim('by-job.example');
  dns.records.set(claimed.recordName, [claimed.recordText]);
  await checkDomains(app.services);
  await checkDomains(app.services);
  expect(await mailsTo([admin])).toEqual([
    'Your organization on Rapport has verified by-job.example',
  ]);
});

test('B6: silent name servers of one organization do not delay the domain checks of others', async () => {
  const slow = await newOrganization(app);
  const names = new Set<string>();
  for (let n = 0; n < 6; n += 1) {
    const { recordName } = await slow.call(claimDomain, { body: { domain: `slow-${n}.example` } });
    names.add(recordName);
  }
  const other = await claim('quick.example');
  const { promise: othersTurn, resolve: release } = Promise.withResolvers<void>();
  let [waiting, most] = [0, 0];
  app.services.outside.txtRecords = async (name) => {
    if (name === other.claimed.recordName) release();
    if (!names.has(name)) return dns.txtRecords(name);
    waiting += 1;
    most = Math.max(most, waiting);
    await othersTurn;
    waiting -= 1;
    return null;
  };
  await checkDomains(app.services);
  expect(most).toBeLessThanOrEqual(4);
  app.services.outside.txtRecords = dns.txtRecords;
});
