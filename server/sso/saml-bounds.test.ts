import { DOMParser } from '@xmldom/xmldom';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createConnection, readSso } from '#domain/sso/contract.ts';
import type { TestApp } from '#server/testing/open-test-app.ts';
import { samlConnection } from '#server/testing/requests.ts';
import { foreignKeys, providerKeys } from '#server/testing/saml-keys.ts';
import { signXml } from '#server/testing/saml-provider.ts';
import { openSaml, type SamlTry } from '#server/testing/saml-sign-in.ts';
import type { SsoOrganization } from '#server/testing/sso-organization.ts';
import { Visitor } from '#server/testing/visitor.ts';

let app: TestApp;
let acme: SsoOrganization;
let saml: Awaited<ReturnType<typeof openSaml>>;
beforeAll(async () => {
  saml = await openSaml();
  ({ app, acme } = saml);
});
afterAll(() => app.close());

const trySignIn = (given?: SamlTry) => saml.trySignIn(given);
const expectRefused = (given: SamlTry, check: string) => saml.expectRefused(given, check);

const nested = (name: string, levels: number) =>
  `<${name}>`.repeat(levels) + `</${name}>`.repeat(levels);

describe('a response that is expensive to read is refused before a DOM is built', () => {
  const failing = 'urn:oasis:names:tc:SAML:2.0:status:Responder';
  const within = (what: string) => ({
    parts: { status: failing },
    sign: { key: '' },
    after: (xml: string) => xml.replace('</samlp:Status>', `${what}</samlp:Status>`),
  });
  test('nested deeper than 32 levels, without a signature', async () => {
    await expectRefused(within(nested('samlp:StatusMessage', 29)), 'status');
    await expectRefused(within(nested('samlp:StatusMessage', 31)), 'document');
    await expectRefused(within(nested('samlp:StatusMessage', 4_000)), 'document');
  });
  const attributes = (count: number) => Array.from({ length: count }, (_, n) => `a${n}=""`);
  test('B2: with more than 800 elements, 2,000 attributes, or 100 in one element', async () => {
    await expectRefused(within('<a/>'.repeat(750)), 'status');
    await expectRefused(within('<a/>'.repeat(800)), 'document');
    const wide = `<a ${attributes(100).join(' ')}/>`;
    await expectRefused(within(wide.repeat(19)), 'status');
    await expectRefused(within(wide.repeat(20)), 'document');
    await expectRefused(within(`<a ${attributes(101).join(' ')}/>`), 'document');
  });
  test('B2: the largest response is parsed in another thread', async () => {
    const padding = `<x>${'<y a="" b=""/>'.repeat(700)}</x>`;
    const parse = vi.spyOn(DOMParser.prototype, 'parseFromString');
    const sign = { key: foreignKeys.key };
    const after = (xml: string) => {
      const large = xml.replace('</samlp:Response>', `${padding}</samlp:Response>`);
      const signed = signXml(large, { element: 'Response', ...sign });
      parse.mockClear();
      return signed;
    };
    await expectRefused({ sign, after }, 'signature');
    expect(parse).not.toHaveBeenCalled();
    parse.mockRestore();
  });
});

test('B2: a person with 500 groups signs in', async () => {
  const groups = Array.from({ length: 500 }, (_, n) => `Group ${n} of the whole company`);
  const before = (xml: string) =>
    xml.replaceAll(
      '<saml:AttributeValue>',
      '<saml:AttributeValue xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="xs:string">',
    );
  const { browser } = await trySignIn({ parts: { attributes: { groups } }, before });
  expect(browser.isSignedIn).toBe(true);
});

test('B2: a connection accepts at most five certificates, and drops duplicates', async () => {
  const der = Buffer.from(providerKeys.certificate.replace(/-----.*?-----/g, ''), 'base64');
  const variant = (last: number) => Buffer.concat([der.subarray(0, -1), Buffer.of(last)]);
  const pem = (count: number) =>
    Array.from(
      { length: count },
      (_, n) =>
        `-----BEGIN CERTIFICATE-----\n${variant(n).toString('base64')}\n-----END CERTIFICATE-----\n`,
    ).join('');
  const { admin } = acme;
  const { id } = await admin.call(createConnection, { body: { kind: 'saml', name: 'Keys' } });
  const put = (certificate: string) =>
    admin.send('PUT', `/api/sso/connections/${id}`, samlConnection({ certificate }));
  expect(await put(pem(5) + pem(5))).toMatchObject({ status: 200 });
  expect((await admin.call(readSso)).connections.at(-1)?.certificates).toHaveLength(5);
  const code = 'too_many_certificates';
  expect(await put(pem(6))).toMatchObject({ status: 400, body: { code } });
});

test('metadata that is nested too deeply, or of a whole federation, is refused with what to do', async () => {
  const { admin, connection } = acme;
  const put = (metadata: string) =>
    admin.send('PUT', `/api/sso/connections/${connection.id}`, {
      ...connection,
      roleClaim: '',
      issuer: '',
      clientId: '',
      clientSecret: '',
      metadataUrl: '',
      certificate: '',
      entityId: '',
      ssoUrl: '',
      metadata,
    });
  const federation = `<EntitiesDescriptor>${'<EntityDescriptor/>'.repeat(5_000)}</EntitiesDescriptor>`;
  for (const [metadata, why] of [
    [nested('EntityDescriptor', 6_000), 'nested too deeply'],
    [federation, 'that of one identity provider alone'],
  ] as const) {
    expect(await put(metadata)).toMatchObject({
      status: 400,
      body: { code: 'bad_metadata', message: expect.stringContaining(why) },
    });
  }
});

test('the metadata of an unknown connection answers 404', async () => {
  const path = `/sso/saml/${crypto.randomUUID()}/metadata`;
  expect((await new Visitor(app).send('GET', path)).status).toBe(404);
});
