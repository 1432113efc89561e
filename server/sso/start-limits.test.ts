import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '#server/config.ts';
import { openOutside } from '#server/platform/outside.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { fakeRecords, newSsoOrganization } from '#server/testing/sso-organization.ts';

const dns = fakeRecords();
let app: TestApp;
beforeAll(async () => {
  const outside = { ...openOutside(readConfig({})), txtRecords: dns.txtRecords };
  // A tenth of the limits: 3 sign-ins a minute for each address, 12 for each network.
  app = await openTestApp({ RATE_LIMIT_SCALE: '0.1' }, { outside });
});
afterAll(() => app.close());

const start = async (email: string, remoteAddress: string) => {
  const sent = { method: 'POST' as const, url: '/api/sso/start', payload: { email } };
  return (await app.http.inject({ ...sent, remoteAddress })).statusCode;
};

test('R4-4: a stranger with many addresses keeps nobody of an organization from signing in', async () => {
  const corp = await newSsoOrganization(app, dns, 'corp.example', 'saml');
  const flood: number[] = [];
  for (let net = 0; net < 25; net += 1) {
    const from = `2001:db8:0:${net.toString(16)}::1`;
    for (let turn = 0; turn < 3; turn += 1) flood.push(await start(`x@${corp.domain}`, from));
  }
  expect(await start(`jane@${corp.domain}`, '198.51.100.7')).toBe(200);
  expect(flood.slice(0, 12)).not.toContain(429);
  expect(new Set(flood.slice(12))).toEqual(new Set([429]));
});
