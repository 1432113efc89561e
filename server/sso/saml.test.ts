import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readTest, testConnection } from '#domain/sso/contract.ts';
import type { TestApp } from '#server/testing/open-test-app.ts';
import { foreignKeys } from '#server/testing/saml-keys.ts';
import { base64, type ResponseParts, responseXml, signXml } from '#server/testing/saml-provider.ts';
import { openSaml, type SamlTry } from '#server/testing/saml-sign-in.ts';
import {
  Browser,
  change,
  newSsoOrganization,
  readRequest,
  type SsoOrganization,
} from '#server/testing/sso-organization.ts';

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
let people = 0;
const newEmail = () => `saml-own-${++people}@acme.example`;

const soon = (minutes: number) => new Date(Date.now() + minutes * 60_000);

test('a new person of a verified domain signs in with the default role, and lands on next', async () => {
  const attributes = { givenName: ['Grace'], sn: ['Hopper'] };
  const { browser, path, email } = await trySignIn({ parts: { attributes }, next: '/app/rooms' });
  expect(path).toBe('/app/rooms');
  expect(await browser.user()).toMatchObject({
    email,
    firstName: 'Grace',
    lastName: 'Hopper',
    role: 'AGENT',
    orgId: acme.admin.user.orgId,
  });
});

test('the second sign-in finds the same account by the provider’s NameID', async () => {
  const first = await trySignIn();
  const again = await trySignIn({
    parts: { nameId: first.email, attributes: { mail: [newEmail()] } },
  });
  expect((await again.browser.user()).id).toBe((await first.browser.user()).id);
  expect((await again.browser.user()).email).toBe(first.email);
});

test('a response works once, and only in the browser that began', async () => {
  const { browser, form, landed } = await trySignIn();
  expect(browser.isSignedIn).toBe(true);
  const other = new Browser(app);
  expect(await other.visit(landed)).toBe('/auth?sso=expired');
  expect(await other.visit(acme.connection.answerUrl, form)).toBe('/auth?sso=expired');
  expect(other.isSignedIn).toBe(false);
  const stolen = readRequest(await new Browser(app).start('somebody@acme.example'));
  const xml = signXml(
    responseXml({
      issuer: acme.connection.entityId ?? '',
      answerUrl: acme.connection.answerUrl,
      audience: acme.connection.ourEntityId ?? '',
      inResponseTo: stolen.id,
      email: newEmail(),
    }),
  );
  const back = await other.visit(acme.connection.answerUrl, { SAMLResponse: base64(xml) });
  expect(await other.visit(back)).toBe('/auth?sso=expired');
  expect(other.isSignedIn).toBe(false);
});

describe('attack 37: a SAML response that does not match the request is refused', () => {
  test('unsigned', () => expectRefused({ sign: { key: '' } }, 'signature'));
  test('signed with another key', () =>
    expectRefused({ sign: { key: foreignKeys.key } }, 'signature'));
  test('only the response is signed', () =>
    expectRefused({ sign: { element: 'Response' } }, 'signature'));
  test('signed with SHA-1', () => expectRefused({ sign: { algorithm: 'sha1' } }, 'signature'));
  test('changed after it was signed', () =>
    expectRefused({ after: (xml) => xml.replaceAll(/saml-\d+@acme/g, 'ceo@acme') }, 'signature'));
  test('wrong Issuer of the assertion', () =>
    expectRefused({ parts: { issuer: 'https://evil.example' } }, 'issuer'));
  test('wrong Issuer of the response', () =>
    expectRefused({ parts: { responseIssuer: 'https://evil.example' } }, 'issuer'));
  test('wrong Recipient', () =>
    expectRefused({ parts: { recipient: 'https://other.example/acs' } }, 'recipient'));
  test('wrong Destination', () =>
    expectRefused({ parts: { destination: 'https://other.example/acs' } }, 'destination'));
  test('wrong Status', () =>
    expectRefused({ parts: { status: 'urn:oasis:names:tc:SAML:2.0:status:Requester' } }, 'status'));
  test('wrong Audience', () =>
    expectRefused({ parts: { audience: 'https://other.example' } }, 'audience'));
  test('no Audience', () =>
    expectRefused(
      {
        before: (xml) =>
          xml.replace(/<saml:AudienceRestriction>.*<\/saml:AudienceRestriction>/, ''),
      },
      'audience',
    ));
  test('expired', () => expectRefused({ parts: { notOnOrAfter: soon(-3) } }, 'time'));
  test('not yet valid', () =>
    expectRefused({ parts: { notBefore: soon(3), notOnOrAfter: soon(9) } }, 'time'));
  test('without an expiry', () =>
    expectRefused({ before: (xml) => xml.replace(/ NotOnOrAfter="[^"]*"\/>/, '/>') }, 'time'));
  test('answers another request', () =>
    expectRefused({ parts: { inResponseTo: '_01900000-0000-7000-8000-000000000000' } }, 'request'));
  test('answers no request, if the provider must not initiate sign-ins', () =>
    expectRefused({ parts: { inResponseTo: null } }, 'request'));
  test('a comment in the NameID, which would truncate the address', () =>
    expectRefused({ parts: { nameId: 'ceo@acme.example<!---->.evil.example' } }, 'document'));
  test('a comment inserted after signing, which does not break the signature', () =>
    expectRefused(
      {
        after: (xml) =>
          xml.replace('@acme.example</saml:NameID>', '@acme<!---->.example</saml:NameID>'),
      },
      'document',
    ));
  test('a document type with entities that expand', () =>
    expectRefused(
      {
        after: (xml) =>
          `<!DOCTYPE r [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "${'&a;'.repeat(1000)}">]>${xml}`,
      },
      'document',
    ));
  test('not XML', () => expectRefused({ after: () => 'x' }, 'document'));

  test('replay: an assertion that was already used', async () => {
    const assertionId = '_once-and-only-once';
    const first = await trySignIn({ parts: { assertionId } });
    expect(first.browser.isSignedIn).toBe(true);
    await expectRefused({ parts: { assertionId } }, 'replay');
  });

  const assertionOf = (xml: string) => /<saml:Assertion.*<\/saml:Assertion>/s.exec(xml)?.[0] ?? '';
  const signatureOf = (xml: string) => /<Signature.*<\/Signature>/s.exec(xml)?.[0] ?? '';
  /** An assertion of the attacker's: another ID and person, without a signature. */
  const evil = (xml: string) =>
    assertionOf(xml)
      .replace(signatureOf(xml), '')
      .replace(/ID="_assertion[^"]*"/, 'ID="_evil"')
      .replace(/saml-\d+@acme/, 'ceo@acme');
  const evilResponse = (xml: string) =>
    xml
      .replace(/<Signature.*<\/Signature>/s, '')
      .replace(/ID="_response[^"]*"/, 'ID="_evil-response"')
      .replace(/saml-\d+@acme/, 'ceo@acme');
  const inside = (signature: string, more: string) =>
    signature.replace('</Signature>', `${more}</Signature>`);

  /** Somorovsky et al., On Breaking SAML (2012): the eight kinds of signature wrapping. */
  const wrappings: Record<string, { element?: 'Response'; after: (xml: string) => string }> = {
    'XSW1: the signed response inside the signature of an evil one': {
      element: 'Response',
      after: (xml) =>
        evilResponse(xml).replace(
          '<samlp:Status>',
          `${inside(signatureOf(xml), xml.replace(signatureOf(xml), ''))}<samlp:Status>`,
        ),
    },
    'XSW2: the signed response before a detached signature': {
      element: 'Response',
      after: (xml) =>
        evilResponse(xml).replace(
          '<samlp:Status>',
          `${xml.replace(signatureOf(xml), '')}${signatureOf(xml)}<samlp:Status>`,
        ),
    },
    'XSW3: an evil assertion before the signed one': {
      after: (xml) => xml.replace(assertionOf(xml), evil(xml) + assertionOf(xml)),
    },
    'XSW4: the signed assertion within an evil one': {
      after: (xml) =>
        xml.replace(
          assertionOf(xml),
          evil(xml).replace('</saml:Assertion>', `${assertionOf(xml)}</saml:Assertion>`),
        ),
    },
    'XSW5: the signature in the evil assertion, the signed one at the end': {
      after: (xml) =>
        xml.replace(
          assertionOf(xml),
          evil(xml).replace('<saml:Subject>', `${signatureOf(xml)}<saml:Subject>`) +
            assertionOf(xml).replace(signatureOf(xml), ''),
        ),
    },
    'XSW6: the signed assertion within the signature of the evil one': {
      after: (xml) =>
        xml.replace(
          assertionOf(xml),
          evil(xml).replace(
            '<saml:Subject>',
            `${inside(signatureOf(xml), assertionOf(xml).replace(signatureOf(xml), ''))}<saml:Subject>`,
          ),
        ),
    },
    'XSW7: an evil assertion in Extensions': {
      after: (xml) =>
        xml.replace(
          '<samlp:Status>',
          `<samlp:Extensions>${evil(xml)}</samlp:Extensions><samlp:Status>`,
        ),
    },
    'XSW8: the signed assertion in an Object of the signature': {
      after: (xml) =>
        xml.replace(
          assertionOf(xml),
          evil(xml).replace(
            '<saml:Subject>',
            `${inside(
              signatureOf(xml),
              `<Object>${assertionOf(xml).replace(signatureOf(xml), '')}</Object>`,
            )}<saml:Subject>`,
          ),
        ),
    },
    'the same ID on an evil assertion that comes first': {
      after: (xml) => {
        const id = /ID="_assertion[^"]*"/.exec(xml)?.[0] ?? '';
        return xml.replace(
          assertionOf(xml),
          evil(xml).replace('ID="_evil"', id) + assertionOf(xml),
        );
      },
    },
  };
  test.each(Object.entries(wrappings))('signature wrapping, %s', async (_name, attack) => {
    const { element, after: wrap } = attack;
    let isMade = false;
    const changed = (xml: string) => {
      const made = wrap(xml);
      isMade = made !== xml && made.includes('ceo@acme.example');
      return made;
    };
    const sign = element ? { element } : {};
    const { browser, path } = await trySignIn({ sign, after: changed });
    expect(isMade).toBe(true);
    expect(path).toBe('/auth?sso=failed');
    expect(browser.isSignedIn).toBe(false);
    const { rows } = await app.owner.query(
      `select 1 from accounts where email = 'ceo@acme.example'`,
    );
    expect(rows).toEqual([]);
  });
});

test('a response that is signed as well as its assertion is accepted', async () => {
  const { browser } = await trySignIn({ after: (xml) => signXml(xml, { element: 'Response' }) });
  expect(browser.isSignedIn).toBe(true);
});

test('attack 38: an address of another organization is refused', async () => {
  await newSsoOrganization(app, saml.dns, 'victim.example', 'saml');
  await expectRefused({ email: 'ceo@victim.example' }, 'domain');
  await expectRefused({ email: 'ceo@unclaimed.example' }, 'domain');
  // Also for a person who is known with another address.
  const known = await trySignIn();
  await expectRefused(
    {
      email: 'ceo@victim.example',
      parts: { nameId: known.email, attributes: { mail: ['ceo@victim.example'] } },
    },
    'domain',
  );
});

describe('a response initiated by the provider, if an admin allows it', () => {
  let open: SsoOrganization;
  beforeAll(async () => {
    const settings = { allowIdpInitiated: true };
    open = await newSsoOrganization(app, saml.dns, 'open.example', 'saml', settings);
  });

  const arrive = (RelayState: string) => {
    const browser = new Browser(app);
    const { connection } = open;
    const xml = responseXml({
      issuer: connection.entityId ?? '',
      answerUrl: connection.answerUrl,
      audience: connection.ourEntityId ?? '',
      inResponseTo: null,
      email: `p${++people}@open.example`,
    });
    const form = { SAMLResponse: base64(signXml(xml)), RelayState };
    return { browser, form, send: () => browser.visit(connection.answerUrl, form) };
  };

  test('L3: it leads to the sign-in page without a session, and the person begins there', async () => {
    const { browser, form, send } = arrive('/app');
    const landed = new URL(await send(), 'http://own');
    expect(landed.pathname).toBe('/auth');
    expect(Object.fromEntries(landed.searchParams)).toEqual({
      sso: 'continue',
      email: `p${people}@open.example`,
      next: '/app',
    });
    expect(browser.isSignedIn).toBe(false);
    const other = new Browser(app);
    expect(await other.visit(open.connection.answerUrl, form)).toBe('/auth?sso=expired');
  });

  test.each([
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    '/\t/evil.example',
    '/a\\b',
  ])('attack 30: RelayState %j leads only to pages of this site', async (relay) => {
    expect(await arrive(relay).send()).toBe(`/auth?sso=continue&email=p${people}%40open.example`);
  });
});

test('roles follow an attribute at each sign-in, and are never SUPERADMIN', async () => {
  const roleRules = [
    { value: 'admins', role: 'ORGADMIN' },
    { value: 'guests', role: 'VIEWER' },
  ];
  const of = await newSsoOrganization(app, saml.dns, 'roles.example', 'saml', {
    roleClaim: 'groups',
    roleRules,
  });
  const email = 'ada@roles.example';
  const roleWith = async (groups: string[]) => {
    const parts = { attributes: { groups } };
    return (await (await trySignIn({ organization: of, email, parts })).browser.user()).role;
  };
  expect(await roleWith(['guests'])).toBe('VIEWER');
  expect(await roleWith(['guests', 'admins'])).toBe('ORGADMIN');
  expect(await roleWith(['nothing'])).toBe('ORGADMIN');
  expect(await roleWith(['guests'])).toBe('VIEWER');
  const reply = await of.admin.send('PUT', `/api/sso/connections/${of.connection.id}`, {
    ...of.connection,
    roleRules: [{ value: 'x', role: 'SUPERADMIN' }],
  });
  expect(reply.status).toBe(400);
});

test('the test button signs in no one and shows the claims', async () => {
  const { admin, connection } = acme;
  const begun = await admin.call(testConnection, { params: { id: connection.id } });
  const request = readRequest(begun.url);
  const answer = (email: string, given: Partial<ResponseParts> = {}) =>
    base64(
      signXml(
        responseXml(
          {
            issuer: connection.entityId ?? '',
            answerUrl: connection.answerUrl,
            audience: connection.ourEntityId ?? '',
            inResponseTo: request.id,
            email,
          },
          { attributes: { team: ['A', 'B'] }, ...given },
        ),
      ),
    );
  const browser = new Browser(app);
  const send = (SAMLResponse: string) =>
    browser.visit(connection.answerUrl, { SAMLResponse, RelayState: request.relayState });

  expect(await send(answer('t@acme.example', { recipient: 'https://x.example' }))).toBe(
    `/app/settings/sso?test=${begun.id}`,
  );
  const failed = await admin.call(readTest, { params: { id: begun.id } });
  expect(failed.result?.checks.at(-1)).toMatchObject({ name: 'recipient', passed: false });

  await send(answer('t@acme.example'));
  const passed = await admin.call(readTest, { params: { id: begun.id } });
  expect(passed.result).toMatchObject({ email: 't@acme.example', role: 'AGENT' });
  expect(passed.result?.claims).toContainEqual({ name: 'team', values: ['A', 'B'] });
  expect(passed.result?.checks.every((check) => check.passed)).toBe(true);
  expect(browser.isSignedIn).toBe(false);
  const { rows } = await app.owner.query(`select 1 from accounts where email = 't@acme.example'`);
  expect(rows).toEqual([]);
});

test('a connection that is switched off refuses sign-ins', async () => {
  const of = await newSsoOrganization(app, saml.dns, 'off.example', 'saml');
  const browser = new Browser(app);
  const request = readRequest(await browser.start('a@off.example'));
  await change(of, { enabled: false });
  const xml = responseXml({
    issuer: of.connection.entityId ?? '',
    answerUrl: of.connection.answerUrl,
    audience: of.connection.ourEntityId ?? '',
    inResponseTo: request.id,
    email: 'a@off.example',
  });
  const back = await browser.visit(of.connection.answerUrl, { SAMLResponse: base64(signXml(xml)) });
  expect(back).toMatch(/^\/auth\?sso=/);
  expect(browser.isSignedIn).toBe(false);
  await expect(browser.start('a@off.example')).rejects.toThrow('no_sso_for_domain');
});
