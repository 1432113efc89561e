import { afterAll, beforeAll, expect, test } from 'vitest';
import { testConnection } from '#domain/sso/contract.ts';
import { readConfig } from '#server/config.ts';
import { openOutside } from '#server/platform/outside.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { fakeRecords, newSsoOrganization } from '#server/testing/sso-organization.ts';
import { forgetFlows } from './jobs.ts';

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

test('R4-4: sign-in starts from many addresses of one network do not throttle other networks', async () => {
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

test('R4-4: expired sign-ins are deleted, even while another one is locked', async () => {
  const acme = await newSsoOrganization(app, dns, 'acme.example', 'saml');
  await acme.admin.call(testConnection, { params: { id: acme.connection.id } });
  for (const from of ['198.51.100.8', '198.51.100.9']) await start(`x@${acme.domain}`, from);
  await app.owner.query(`update sso_flows set expires_at = now() - interval '1 minute'`);
  const kept = async () => {
    const { rows } = await app.owner.query(
      `select purpose from sso_flows where connection_id = $1 order by purpose`,
      [acme.connection.id],
    );
    return rows.map(({ purpose }) => purpose);
  };
  await app.owner.query('begin');
  await app.owner.query(
    `select 1 from sso_flows where connection_id = $1 and purpose = 'sign-in' limit 1 for update`,
    [acme.connection.id],
  );
  await forgetFlows(app.services);
  await app.owner.query('commit');
  expect(await kept()).toEqual(['sign-in', 'test']);
  await forgetFlows(app.services);
  expect(await kept()).toEqual(['test']);
});
