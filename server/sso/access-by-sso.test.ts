import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeCalendarFeed } from '#domain/calendar/contract.ts';
import { readConfig } from '#server/config.ts';
import { openOutside } from '#server/platform/outside.ts';
import { type FakeProvider, fakeProvider } from '#server/testing/oidc-provider.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import {
  asBegunBySso,
  change,
  fakeRecords,
  moveAddress,
  newColleague,
  newSsoOrganization,
} from '#server/testing/sso-organization.ts';
import { personalToken, program } from '#server/testing/token-things.ts';
import { Visitor } from '#server/testing/visitor.ts';

const dns = fakeRecords();
let app: TestApp;
let idp: FakeProvider;
beforeAll(async () => {
  const outside = openOutside(readConfig({ ALLOW_PRIVATE_TARGETS: '127.0.0.1' }));
  app = await openTestApp({}, { outside: { ...outside, txtRecords: dns.txtRecords } });
  idp = await fakeProvider();
});
afterAll(async () => {
  await app.close();
  await idp.close();
});

/** Makes a token and a calendar address. @returns how they are answered now */
async function accessOf(visitor: Visitor) {
  const { token } = await personalToken(visitor, ['rooms:read']);
  const { url } = await visitor.call(makeCalendarFeed);
  return async () => [
    (await program(app, token)('GET', '/api/rooms')).status,
    (await new Visitor(app).send('GET', new URL(url).pathname)).status,
  ];
}

test.each([
  ['is pointed at another provider', { clientId: 'another', clientSecret: 's' }],
  ['is switched off', { enabled: false }],
])(
  'R20-1: API tokens and calendar addresses made by single sign-on end when the connection %s',
  async (_, changed) => {
    const domain = `access-${'enabled' in changed ? 'off' : 'other'}.example`;
    const settings = { issuer: idp.issuer, clientId: 'client', clientSecret: 's' };
    const corp = await newSsoOrganization(app, dns, domain, 'oidc', settings);
    const byProvider = await moveAddress(app, await newColleague(app, corp, 'AGENT'), domain);
    await asBegunBySso(app, byProvider);
    const ended = await accessOf(byProvider);
    const byPassword = await accessOf(
      await moveAddress(app, await newColleague(app, corp, 'AGENT'), domain),
    );
    await change(corp, { name: 'Renamed' });
    expect(await ended()).toEqual([200, 200]);
    await change(corp, changed);
    expect(await ended()).toEqual([401, 404]);
    expect(await byPassword()).toEqual([200, 200]);
  },
);
