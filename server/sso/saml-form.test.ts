import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createConnection } from '#domain/sso/contract.ts';
import { openSaml } from '#server/testing/saml-sign-in.ts';
import {
  endStalled,
  expectAnswer,
  expectOneRefused,
  stall,
} from '#server/testing/stalled-request.ts';

let saml: Awaited<ReturnType<typeof openSaml>>;
let port: number;
beforeAll(async () => {
  saml = await openSaml({ TRUSTED_PROXIES: '127.0.0.1' });
  port = Number(new URL(await saml.app.listen()).port);
});
afterEach(endStalled);
afterAll(() => saml.app.close());

/** Sends the head of a long form whose body does not arrive. */
const stallForm = (connection: string, address: string) =>
  stall(port, [
    `POST /sso/saml/${connection}/acs HTTP/1.1`,
    'Content-Type: application/x-www-form-urlencoded',
    'Content-Length: 250000',
    `X-Forwarded-For: ${address}`,
  ]);

test('R7-12: a form for an unknown connection is answered 404 before it is read', async () => {
  const body = { kind: 'oidc' as const, name: 'Other' };
  const oidc = await saml.acme.admin.call(createConnection, { body });
  const unknown = '0190a000-0000-7000-8000-000000000000';
  for (const id of [unknown, 'nonsense', oidc.id]) {
    await expectAnswer(stallForm(id, '198.51.100.7'), 404);
  }
});

test('R7-12: of the long forms of one network, one is read and fifty wait', async () => {
  const { connection } = saml.acme;
  const all = Array.from({ length: 52 }, (_, n) => stallForm(connection.id, `2001:db8:1:${n}::1`));
  await expectOneRefused(all);
  const { browser, form } = await saml.trySignIn();
  const long = { ...form, padding: 'x'.repeat(200_000) };
  const headers = { 'x-forwarded-for': '198.51.100.8' };
  expect(await browser.visit(connection.answerUrl, long, headers), 'read').toBe(
    '/auth?sso=expired',
  );
});
