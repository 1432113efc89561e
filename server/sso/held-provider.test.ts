import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createConnection, readSso, updatePolicy } from '#domain/sso/contract.ts';
import { readConfig } from '#server/config.ts';
import { openOutside } from '#server/platform/outside.ts';
import { type FakeProvider, fakeProvider } from '#server/testing/oidc-provider.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { samlConnection } from '#server/testing/requests.ts';
import {
  asBegunBySso,
  fakeRecords,
  newSsoOrganization,
  type SsoOrganization,
} from '#server/testing/sso-organization.ts';
import { newMember, newOrganization, type Visitor } from '#server/testing/visitor.ts';
import { waitingForLocks } from '#server/testing/waiting-for-locks.ts';

const settingsOf = (issuer: string) => ({ issuer, clientId: 'client', clientSecret: 's' });
const dns = fakeRecords();
let app: TestApp;
let idp: FakeProvider;
let corp: SsoOrganization;
/** The attacker's provider, which answers once it is released. */
let slow: Server;
const asked = Promise.withResolvers<void>();
const released = Promise.withResolvers<void>();

beforeAll(async () => {
  const outside = openOutside(readConfig({ ALLOW_PRIVATE_TARGETS: '127.0.0.1' }));
  app = await openTestApp({}, { outside: { ...outside, txtRecords: dns.txtRecords } });
  idp = await fakeProvider();
  corp = await newSsoOrganization(app, dns, 'corp.example', 'oidc', settingsOf(idp.issuer));
  slow = createServer(async (_request, response) => {
    asked.resolve();
    await released.promise;
    const issuer = slowIssuer();
    const document = {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
    };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));
  });
  await new Promise<void>((go) => slow.listen(0, '127.0.0.1', go));
});
afterAll(async () => {
  await app.close();
  await idp.close();
  slow.close();
});
const slowIssuer = () => {
  const { port } = slow.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
};

test('A1: removing an admin while their provider’s host answers leaves the connection unchanged', async () => {
  const mallory = await newMember(app, corp.admin, 'ORGADMIN');
  const settings = {
    ...{ name: 'Sign-on', enabled: true, entityId: '', ssoUrl: '', certificate: '' },
    ...settingsOf(slowIssuer()),
  };
  const path = `/api/sso/connections/${corp.connection.id}`;
  const pending = mallory.send('PUT', path, samlConnection(settings));
  await asked.promise;
  const removal = await corp.admin.send('DELETE', `/api/users/${mallory.user.id}`);
  expect(removal).toMatchObject({ status: 204 });
  released.resolve();
  expect(await pending).toMatchObject({ status: 401 });
  const { connections } = await corp.admin.call(readSso);
  expect(connections.map(({ issuer }) => issuer)).toEqual([idp.issuer]);
});

test('A5: single sign-on stays required when an admin is removed while their change of the policy waits', async () => {
  const mallory = await newMember(app, corp.admin, 'ORGADMIN');
  await asBegunBySso(app, mallory);
  const required = { required: true, breakGlass: [corp.admin.user.id] };
  await corp.admin.call(updatePolicy, { body: required });
  // Keeps the removal waiting after it has locked the policy.
  const client = new pg.Client(app.ownerLogin);
  await client.connect();
  await client.query('begin');
  await client.query('select 1 from accounts where id = $1 for update', [mallory.user.id]);
  const removal = corp.admin.send('DELETE', `/api/users/${mallory.user.id}`);
  await waitingForLocks(app, 1);
  const late = mallory.send('PUT', '/api/sso/policy', { required: false, breakGlass: [] });
  await waitingForLocks(app, 2);
  await client.query('commit');
  await client.end();
  expect(await removal).toMatchObject({ status: 204 });
  expect(await late).toMatchObject({ status: 403 });
  expect((await corp.admin.call(readSso)).policy).toEqual(required);
});

test('B6: an organization has two provider requests at a time, and another one does not wait for them', async () => {
  const [mallory, ada] = [await newOrganization(app), await newOrganization(app)];
  const { fetch } = app.services.outside;
  const { promise: over, resolve: release } = Promise.withResolvers<void>();
  let waiting = 0;
  app.services.outside.fetch = async (url) => {
    waiting += 1;
    if (url.includes('slow')) await over;
    return new Response('', { status: 404 });
  };
  const put = async (admin: Visitor, metadataUrl: string) => {
    const { id } = await admin.call(createConnection, { body: { kind: 'saml', name: 'IdP' } });
    const body = samlConnection({ metadataUrl, certificate: '' });
    return (await admin.send('PUT', `/api/sso/connections/${id}`, body)).status;
  };
  const slowOnes = Array.from({ length: 5 }, () => put(mallory, 'https://slow.example/'));
  await vi.waitFor(() => expect(waiting).toBe(2));
  expect(await put(ada, 'https://quick.example/')).toBe(400);
  expect(waiting).toBe(3);
  release();
  expect(await Promise.all(slowOnes)).toEqual([400, 400, 400, 400, 400]);
  app.services.outside.fetch = fetch;
});
