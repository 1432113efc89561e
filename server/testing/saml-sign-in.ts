import { expect } from 'vitest';
import { readConfig } from '#server/config.ts';
import { openOutside } from '#server/platform/outside.ts';
import { openTestApp, type TestApp } from './open-test-app.ts';
import {
  base64,
  type ResponseParts,
  responseXml,
  type SignOptions,
  signXml,
} from './saml-provider.ts';
import {
  Browser,
  fakeRecords,
  newSsoOrganization,
  readRequest,
  type SsoOrganization,
} from './sso-organization.ts';

let people = 0;

/** Opens an app with an organization that signs in by SAML, and the functions that try to. */
export async function openSaml(env: Record<string, string> = {}) {
  const dns = fakeRecords();
  const outside = { ...openOutside(readConfig({})), txtRecords: dns.txtRecords };
  const app = await openTestApp(env, { outside });
  const acme = await newSsoOrganization(app, dns, 'acme.example', 'saml');
  return {
    app,
    dns,
    acme,
    trySignIn: (given?: SamlTry) => trySignIn(app, acme, given),
    answer: (given?: SamlTry) => answer(app, acme, given),
    expectRefused: (given: SamlTry, check: string) => expectRefused(app, acme, given, check),
  };
}

/** How a sign-in differs from one that succeeds. */
export interface SamlTry {
  email?: string;
  parts?: Partial<ResponseParts>;
  sign?: SignOptions;
  /** Change the document before and after it is signed. */
  before?: (xml: string) => string;
  after?: (signed: string) => string;
  organization?: SsoOrganization;
  next?: string;
}

/** Goes to the provider, and returns with the response that it, or an attacker, made. */
async function trySignIn(app: TestApp, acme: SsoOrganization, given: SamlTry = {}) {
  const answered = await answer(app, acme, given);
  const { browser, landed } = answered;
  const path = landed.includes('/finish?') ? await browser.visit(landed) : landed;
  return { ...answered, path };
}

/** As `trySignIn`, up to the link by which the browser would fetch the answer. */
async function answer(app: TestApp, acme: SsoOrganization, given: SamlTry = {}) {
  const of = given.organization ?? acme;
  const { connection } = of;
  const email = given.email ?? `saml-${++people}@acme.example`;
  const browser = new Browser(app);
  const request = readRequest(
    await browser.start(`somebody@${of.domain}`, given.next ? { next: given.next } : {}),
  );
  const xml = responseXml(
    {
      issuer: connection.entityId ?? '',
      answerUrl: connection.answerUrl,
      audience: connection.ourEntityId ?? '',
      inResponseTo: request.id,
      email,
    },
    given.parts,
  );
  const signed = given.sign?.key === '' ? xml : signXml(given.before?.(xml) ?? xml, given.sign);
  const SAMLResponse = base64(given.after?.(signed) ?? signed);
  const form = { SAMLResponse, RelayState: request.relayState };
  const landed = await browser.visit(connection.answerUrl, form);
  return { browser, form, email, landed };
}

async function expectRefused(
  app: TestApp,
  acme: SsoOrganization,
  given: SamlTry,
  check: string,
): Promise<void> {
  const { browser, path } = await trySignIn(app, acme, given);
  expect(path).toMatch(/^\/auth\?sso=/);
  expect(browser.isSignedIn).toBe(false);
  const { rows } = await app.owner.query(
    `select metadata->>'check' as name from audit_events where action = 'SSO_SIGN_IN_FAILED'
     order by id desc limit 1`,
  );
  expect(rows[0]?.name).toBe(check);
}
