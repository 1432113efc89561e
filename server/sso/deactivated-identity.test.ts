import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Directory, patchOf } from '#server/testing/directory.ts';
import { openSaml } from '#server/testing/saml-sign-in.ts';

let saml: Awaited<ReturnType<typeof openSaml>>;
let directory: Directory;
beforeAll(async () => {
  saml = await openSaml();
  directory = await Directory.of(saml.app, saml.acme.admin, 'acme.example');
});
afterAll(() => saml.app.close());

async function signsIn(nameId: string, email: string): Promise<boolean> {
  const { browser } = await saml.trySignIn({
    email,
    parts: { nameId, attributes: { email: [email] } },
  });
  return browser.isSignedIn;
}

test('R31-B1: a person whom the directory deactivated is refused under every address that their provider sends', async () => {
  const name = randomUUID();
  const [email, alias] = [`${name}@acme.example`, `${name}+2@acme.example`];
  const { id } = await directory.user(email);
  expect(await signsIn(name, email)).toBe(true);
  const active = (value: boolean) =>
    directory.ask('PATCH', `/Users/${id}`, patchOf({ op: 'replace', value: { active: value } }));
  expect((await active(false)).body.active).toBe(false);
  expect(await signsIn(name, email)).toBe(false);
  expect(await signsIn(name, alias)).toBe(false);
  // Another person is not.
  expect(await signsIn(`not ${name}`, alias)).toBe(true);
  await active(true);
  expect(await signsIn(name, email)).toBe(true);
});
