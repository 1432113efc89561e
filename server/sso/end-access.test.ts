import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createApiToken, listApiTokens } from '#domain/api/contract.ts';
import { makeCalendarFeed, readCalendarFeed } from '#domain/calendar/contract.ts';
import { readSso } from '#domain/sso/contract.ts';
import { readConfig } from '#server/config.ts';
import { openOutside } from '#server/platform/outside.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import {
  asBegunBySso,
  change,
  fakeRecords,
  newColleague,
  newSsoOrganization,
  type SsoOrganization,
} from '#server/testing/sso-organization.ts';
import type { newMember } from '#server/testing/visitor.ts';
import { waitingForLocks } from '#server/testing/waiting-for-locks.ts';

// R20-1: what a person made in a session of an identity provider ends with that provider's sessions.

type Member = Awaited<ReturnType<typeof newMember>>;
interface Made {
  token: string;
  id: string;
  calendar: string;
}

const dns = fakeRecords();
let app: TestApp;
let corp: SsoOrganization;
let turns = 0;

beforeAll(async () => {
  const outside = openOutside(readConfig({}));
  app = await openTestApp({}, { outside: { ...outside, txtRecords: dns.txtRecords } });
});
beforeEach(async () => {
  turns += 1;
  corp = await newSsoOrganization(app, dns, `access-${turns}.example`, 'saml');
});
afterAll(() => app.close());

const body = { name: 'Script', scopes: ['rooms:read' as const], expiresInDays: null };

async function make(by: Member): Promise<Made> {
  const { token, id } = await by.call(createApiToken, { body });
  const { url } = await by.call(makeCalendarFeed);
  return { token, id, calendar: new URL(url).pathname };
}

async function colleague(begun: 'bySso' | 'byPassword'): Promise<Member> {
  const member = await newColleague(app, corp, 'AGENT');
  if (begun === 'bySso') await asBegunBySso(app, member);
  return member;
}

/** The statuses of a request with the token, and of the calendar. */
async function statuses({ token, calendar }: Pick<Made, 'token' | 'calendar'>) {
  const headers = { authorization: `Bearer ${token}` };
  const answers = [
    await app.http.inject({ method: 'GET', url: '/api/rooms', headers }),
    await app.http.inject({ method: 'GET', url: calendar }),
  ];
  return answers.map(({ statusCode }) => statusCode);
}

async function removeDomain() {
  const { domains } = await corp.admin.call(readSso);
  return corp.admin.send('DELETE', `/api/sso/domains/${domains[0]?.id}`);
}
const endings: [string, () => Promise<unknown>][] = [
  ['is pointed at another provider', () => change(corp, { entityId: 'https://other.example' })],
  ['is switched off', () => change(corp, { enabled: false })],
  [
    'is deleted',
    () => Promise.resolve(corp.admin.send('DELETE', `/api/sso/connections/${corp.connection.id}`)),
  ],
  ['loses its domain', removeDomain],
];

test.each(endings)('R20-1: they end when its connection %s', async (_how, end) => {
  const jane = await colleague('bySso');
  const made = await make(jane);
  const withPassword = await make(await colleague('byPassword'));
  expect(await statuses(made)).toEqual([200, 200]);
  await change(corp, { name: 'Renamed' });
  expect(await statuses(made)).toEqual([200, 200]);

  await end();
  expect(await statuses(made)).toEqual([401, 404]);
  expect(await statuses(withPassword)).toEqual([200, 200]);

  const { rows } = await app.owner.query(
    `select action, entity_id, actor_kind, actor_id, metadata from audit_events
     where org_id = $1 and actor_kind = 'system' order by action`,
    [corp.admin.user.orgId],
  );
  const byProvider = {
    actor_kind: 'system',
    actor_id: 'single-sign-on',
    metadata: { endedWith: 'single-sign-on' },
  };
  expect(rows).toEqual([
    { action: 'API_TOKEN_REVOKED', entity_id: made.id, ...byProvider },
    { action: 'CALENDAR_FEED_REMOVED', entity_id: jane.user.id, ...byProvider },
  ]);
  // In another session, the person sees that they are gone.
  await jane.send('POST', '/api/login', { email: jane.user.email, password: 'correct horse' });
  expect(await jane.call(listApiTokens)).toEqual([]);
  expect(await jane.call(readCalendarFeed)).toEqual({ createdAt: null });
});

test('R20-1: a calendar address of a password session replaces one of the provider and does not end with the provider', async () => {
  const jane = await colleague('bySso');
  await make(jane);
  await jane.send('POST', '/api/login', { email: jane.user.email, password: 'correct horse' });
  const made = await make(jane);
  await change(corp, { enabled: false });
  expect(await statuses(made)).toEqual([200, 200]);
});

test('R23-A4: what a password session made is refused while single sign-on is required', async () => {
  const bySso = await make(await colleague('bySso'));
  const byPassword = await make(await colleague('byPassword'));
  await app.owner.query('update sso_policies set required_at = now() where org_id = $1', [
    corp.admin.user.orgId,
  ]);
  expect(await statuses(bySso)).toEqual([200, 200]);
  expect(await statuses(byPassword)).toEqual([401, 404]);
});

test.each([
  ['token', '/api/user/tokens', body],
  ['calendar address', '/api/calendar-feed', undefined],
])(
  'R20-1: a %s that is being made while the provider is replaced ends, too',
  async (_what, path, sent) => {
    const jane = await colleague('bySso');
    const client = new pg.Client(app.ownerLogin);
    await client.connect();
    await client.query('begin');
    await client.query('select 1 from accounts where id = $1 for update', [jane.user.id]);
    const making = Promise.resolve(jane.send('POST', path, sent));
    await waitingForLocks(app, 1);
    const ending = change(corp, { entityId: 'https://other.example' });
    await waitingForLocks(app, 2);
    await client.query('commit');
    await client.end();
    const [made] = await Promise.all([making, ending]);
    const { rows } = await app.owner.query(
      `select (select count(*) from api_tokens where account_id = $1 and revoked_at is null)::int as tokens,
      (select count(*) from calendar_feeds where account_id = $1)::int as feeds`,
      [jane.user.id],
    );
    expect([201, 401]).toContain(made.status);
    expect(rows).toEqual([{ tokens: 0, feeds: 0 }]);
  },
);
