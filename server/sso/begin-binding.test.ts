import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { closeCodes } from '#domain/calls/close-codes.ts';
import { claimDomain, createConnection, verifyDomain } from '#domain/sso/contract.ts';
import { enter, enterPanel } from '#server/testing/live-client.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import {
  change,
  fakeRecords,
  moveAddress,
  newColleague,
  newSsoOrganization,
  type SsoOrganization,
} from '#server/testing/sso-organization.ts';
import { newMember, runningCall, type Visitor } from '#server/testing/visitor.ts';
import { staffTokenOf } from '#server/testing/waiting-guest.ts';

// Required single sign-on binds more members when a domain is verified, gets a connection, or has its
// connection switched on.

const dns = fakeRecords();
let app: TestApp;
let url: string;
let corp: SsoOrganization;
let turns = 0;

beforeAll(async () => {
  app = await openTestApp();
  app.services.outside.txtRecords = dns.txtRecords;
  url = await app.listen();
});
beforeEach(async () => {
  turns += 1;
  corp = await newSsoOrganization(app, dns, `corp-${turns}.example`, 'saml');
});
afterAll(() => app.close());

const require = (required: boolean, breakGlass = [corp.admin.user.id]) =>
  corp.admin.send('PUT', '/api/sso/policy', { required, breakGlass });
const answers = async (visitor: Visitor) => (await visitor.send('GET', '/api/calls')).status;

/** Claims a second domain, and publishes its record. */
async function claimSecond() {
  const claimed = await corp.admin.call(claimDomain, { body: { domain: `two-${turns}.example` } });
  dns.records.set(claimed.recordName, [claimed.recordText]);
  return { ...claimed, verify: `/api/sso/domains/${claimed.id}/verify` };
}
const assign = (id: string, connectionId: string | null) =>
  corp.admin.send('PUT', `/api/sso/domains/${id}`, { connectionId });

type Second = Awaited<ReturnType<typeof claimSecond>>;
test.each<[string, (second: Second) => Promise<() => Promise<unknown>>]>([
  [
    'verified',
    async ({ verify }) =>
      () =>
        corp.admin.send('POST', verify),
  ],
  [
    'assigned to a connection',
    async ({ id, verify }) => {
      await corp.admin.send('POST', verify);
      await assign(id, null);
      return () => assign(id, corp.connection.id);
    },
  ],
  [
    'moved to a connection that is on',
    async ({ id, verify }) => {
      const body = { kind: 'saml', name: 'Off' } as const;
      const { id: off } = await corp.admin.call(createConnection, { body });
      await corp.admin.send('POST', verify);
      await assign(id, off);
      return () => assign(id, corp.connection.id);
    },
  ],
])(
  'G6: sessions and sockets of members end when required single sign-on comes to bind a domain that is %s',
  async (_how, prepare) => {
    const second = await claimSecond();
    const bind = await prepare(second);
    expect((await require(true)).status).toBe(200);
    const ben = await moveAddress(app, await newMember(app, corp.admin, 'AGENT'), second.domain);
    const { room } = await runningCall(corp.admin);
    const page = await enter(url, await staffTokenOf(ben, room.id));
    const panel = await enterPanel(url, await staffTokenOf(ben, room.id));
    await bind();
    expect(await page.closed).toBe(closeCodes.tokenRefused);
    expect(await panel.closed).toBe(closeCodes.tokenRefused);
    expect((await require(false)).status).toBe(200);
    expect(await answers(ben)).toBe(401);
  },
);

test('G6: sessions end when the connection of their domain is switched on', async () => {
  const other = await newSsoOrganization(app, dns, `other-${turns}.example`, 'saml');
  await app.owner.query('update sso_policies set required_at = now() where org_id = $1', [
    corp.admin.user.orgId,
  ]);
  await app.owner.query('update sso_connections set enabled_at = null where id = $1', [
    corp.connection.id,
  ]);
  const [ben, bea] = [
    await newColleague(app, corp, 'AGENT'),
    await newColleague(app, other, 'AGENT'),
  ];
  expect(await answers(ben)).toBe(200);
  await change(corp, { enabled: true });
  expect((await require(false)).status).toBe(200);
  expect([await answers(ben), await answers(bea)]).toEqual([401, 200]);
});

test('G6: the session of the admin who verifies the domain of their own address goes on', async () => {
  const second = await claimSecond();
  await require(true);
  const ben = await moveAddress(app, await newMember(app, corp.admin, 'ORGADMIN'), second.domain);
  const { verifiedAt } = await ben.call(verifyDomain, { params: { id: second.id } });
  expect(verifiedAt).not.toBeNull();
  expect(await answers(ben)).toBe(200);
});
