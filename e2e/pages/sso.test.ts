import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeViolations } from '../support/axe.ts';
import { openBrowser, type Person } from '../support/browser.ts';
import { startNameServer } from '../support/name-server.ts';
import { startOpenIdProvider } from '../support/openid-provider.ts';
import { discard, type Program, startProgram } from '../support/program.ts';
import { hasSamlProvider, startSamlProvider } from '../support/saml-provider.ts';
import { signUp } from '../support/staff.ts';

const client = { id: 'rapport', secret: 'a client secret of the tests' };
/** A folder for screenshots of the pages. */
const pictures = process.env.PICTURES;
let names: Awaited<ReturnType<typeof startNameServer>>;
let openId: Awaited<ReturnType<typeof startOpenIdProvider>>;
let saml: Awaited<ReturnType<typeof startSamlProvider>> | undefined;
let program: Program;
let admin: Person;
let member: Person;

beforeAll(async () => {
  names = await startNameServer();
  openId = await startOpenIdProvider(client);
  program = await startProgram({
    ALLOW_PRIVATE_TARGETS: '127.0.0.1',
    DNS_SERVERS: names.address,
  });
  admin = await openBrowser();
  member = await openBrowser({ width: 390, height: 844, dark: true });
  if (pictures) mkdirSync(pictures, { recursive: true });
});
afterAll(async () => {
  await admin?.close();
  await member?.close();
  if (program) await discard(program);
  openId?.close();
  saml?.close();
  names?.close();
});

async function picture({ page }: Person, name: string): Promise<void> {
  if (pictures) await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
}

const row = (text: string) => admin.page.getByRole('listitem').filter({ hasText: text });

/** Adds a connection and opens its form. @returns the values for the provider */
async function addConnection(name: string, kind: 'OpenID Connect' | 'SAML 2.0'): Promise<string> {
  const { page } = admin;
  await page.getByRole('button', { name: 'Add connection' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByLabel('Protocol').selectOption({ label: kind });
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('dialog', { name: `Set up ${name}` }).waitFor();
  const line = kind === 'SAML 2.0' ? 'Service provider entity ID (Audience)' : 'Redirect URI';
  return (await dialog.getByText(line).locator('xpath=following-sibling::p').textContent()) ?? '';
}

async function signInBySso(email: string, next = '/app/rooms'): Promise<void> {
  const { page } = member;
  await member.context.clearCookies();
  await page.goto(`${program.url}/auth?next=${next}`);
  await page.getByRole('button', { name: 'Use single sign-on' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Email').fill(email);
  await dialog.getByRole('button', { name: 'Continue' }).click();
}

/** At the OpenID provider: answers its development pages for the login and the consent. */
async function agree({ page }: Person, email: string): Promise<void> {
  await page.getByPlaceholder('Enter any login').fill(email);
  await page.getByPlaceholder('and password').fill('any');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
}

test('an admin verifies a domain, connects an OpenID provider, and tests it', async () => {
  const { page } = admin;
  await signUp(admin, program.url, {
    firstName: 'Ada',
    lastName: 'Lovelace',
    email: 'ada@acme.example',
    orgName: 'Acme Success',
  });
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await page.getByRole('link', { name: 'Single sign-on' }).click();
  await page.getByRole('textbox', { name: 'Domain' }).fill('acme.example');
  await page.getByRole('button', { name: 'Add domain' }).click();
  const name = '_rapport.acme.example';
  await row('acme.example').getByText(name).waitFor();
  await page.getByRole('button', { name: 'Check acme.example now' }).click();
  await page.getByText('Record not found yet').first().waitFor();
  await picture(admin, 'sso-domain');
  const text = await row('acme.example')
    .getByText(/^rapport-verification=/)
    .textContent();
  names.publish(name, text ?? '');
  await page.getByRole('button', { name: 'Check acme.example now' }).click();
  await row('acme.example').getByText('Verified', { exact: true }).waitFor();

  await openId.listen(await addConnection('Acme ID', 'OpenID Connect'));
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Issuer URL').fill(openId.issuer);
  await dialog.getByLabel('Client ID').fill(client.id);
  await dialog.getByLabel('Client secret').fill(client.secret);
  await picture(admin, 'sso-oidc-form');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await row('Acme ID').getByText('Off', { exact: true }).waitFor();

  await page.getByRole('button', { name: 'Test Acme ID' }).click();
  await agree(admin, 'test@acme.example');
  await dialog.getByText('All checks passed').waitFor();
  await dialog.getByText('Email: test@acme.example').waitFor();
  await picture(admin, 'sso-test');
  expect(await axeViolations(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Close' }).last().click();

  await page.getByRole('button', { name: 'Set up Acme ID' }).click();
  await dialog.getByRole('switch', { name: 'Turned on' }).check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await row('Acme ID').getByText('On', { exact: true }).waitFor();
  await picture(admin, 'sso-page');
  expect(await axeViolations(page)).toEqual([]);
});

test('a member signs in by OpenID Connect in a browser, and gets to the page that they requested', async () => {
  await signInBySso('grace@acme.example');
  await agree(member, 'grace@acme.example');
  await member.page.getByRole('heading', { name: 'Rooms', level: 1 }).waitFor();
  expect(new URL(member.page.url()).pathname).toBe('/app/rooms');
  const user = await member.page.evaluate(() => fetch('/api/user').then((answer) => answer.json()));
  expect(user).toMatchObject({ email: 'grace@acme.example', lastName: 'Hopper', role: 'AGENT' });
});

test('a person of a foreign domain is redirected back with an explanation', async () => {
  await signInBySso('grace@acme.example');
  await agree(member, 'eve@elsewhere.example');
  await member.page.getByText(/can’t sign in this address/).waitFor();
  await picture(member, 'sso-refused');
});

test.skipIf(!hasSamlProvider())(
  'a member signs in by SAML 2.0 in a browser',
  { tags: 'full' },
  async () => {
    const { page } = admin;
    const ours = await addConnection('Acme SAML', 'SAML 2.0');
    saml = await startSamlProvider(await (await fetch(ours)).text());
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Or metadata XML').fill(saml.metadata);
    await dialog.getByRole('switch', { name: 'Turned on' }).check();
    await picture(admin, 'sso-saml-form');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await row('Acme SAML').getByText('On', { exact: true }).waitFor();
    await page.getByLabel('Connection for acme.example').selectOption({ label: 'Acme SAML' });
    await page.getByText('Domain connection saved').first().waitFor();

    await signInBySso('alan@acme.example');
    await member.page.getByLabel('Address').fill('alan@acme.example');
    await member.page.getByRole('button', { name: 'Let me in' }).click();
    await member.page.getByRole('heading', { name: 'Rooms', level: 1 }).waitFor();
    const user = await member.page.evaluate(() =>
      fetch('/api/user').then((answer) => answer.json()),
    );
    expect(user).toMatchObject({ email: 'alan@acme.example', lastName: 'Turing', role: 'AGENT' });
  },
);

test('an admin requires single sign-on, and as the emergency admin keeps access', async () => {
  const { page } = admin;
  await page.getByRole('switch', { name: 'Require single sign-on' }).check();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved', { exact: true }).first().waitFor();
  await page.reload();
  await expect
    .poll(() => page.getByRole('switch', { name: 'Require single sign-on' }).isChecked())
    .toBe(true);
  await expect
    .poll(() => page.getByRole('checkbox', { name: /Ada Lovelace/ }).isChecked())
    .toBe(true);
  // The providers' pages request missing fonts and icons; this server gets requests for the current
  // user.
  const said = [...admin.complaints, ...member.complaints];
  expect(said.filter((text) => !text.startsWith('Failed to load resource'))).toEqual([]);
});
