import { generateSync } from 'otplib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ApiUser } from '../support/api.ts';
import { openBrowser, type Person } from '../support/browser.ts';
import { sharedProgram } from '../support/shared-program.ts';
import { signUp } from '../support/staff.ts';

const program = sharedProgram();
let ada: Person;
beforeAll(async () => {
  ada = await openBrowser();
});
afterAll(() => ada?.close());

const email = 'ada@example.com';
const credentials = { email, password: 'correct horse' };

async function signOut({ page }: Person): Promise<void> {
  await page.request.post(`${program.url}/api/logout`, { headers: { origin: program.url } });
}

async function showPassword({ page }: Person): Promise<void> {
  await page.goto(`${program.url}/auth?next=/app`);
  await page.getByLabel('Email').fill(credentials.email);
  await page.getByLabel('Password', { exact: true }).fill(credentials.password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
}

test('a second factor is set up by its key, and a recovery code works as the second step afterwards', async () => {
  const { page } = ada;
  await signUp(ada, program.url, { firstName: 'Ada', lastName: 'Lovelace', email });
  await page.goto(`${program.url}/app/settings/profile`);
  await page.getByRole('button', { name: 'Turn on' }).click();
  await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor();
  const key = ((await page.locator('code').textContent()) ?? '').replaceAll(' ', '');
  await page.getByLabel('Code from the app').fill(generateSync({ secret: key }));
  await page.getByRole('button', { name: 'Turn on' }).click();
  const shown = page.getByRole('region', { name: 'Your recovery codes' });
  await shown.waitFor();
  const codes = await shown.getByRole('listitem').allInnerTexts();
  expect(codes).toHaveLength(10);
  await page.getByRole('button', { name: 'I’ve saved them' }).click();
  await page.getByText('10 recovery codes left.').waitFor();

  await signOut(ada);
  await showPassword(ada);
  await page.getByRole('heading', { name: 'Two-factor sign-in' }).waitFor();
  await page.getByLabel('Code').fill('123 456');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('This code is incorrect').waitFor();
  await page.getByLabel('Code').fill(codes[0]?.toLowerCase() ?? '');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
});

test('a passkey is added, signs in without a password, counts as two factors, and is removed', async () => {
  const { page, context } = ada;
  const cdp = await context.newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await page.goto(`${program.url}/app/settings/profile`);
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByRole('button', { name: 'Rename Chrome on Linux' }).waitFor();
  const { credentials: made } = await cdp.send('WebAuthn.getCredentials', { authenticatorId });
  expect(made).toMatchObject([{ isResidentCredential: true, rpId: 'localhost' }]);

  await signOut(ada);
  const signedIn = page.waitForResponse(
    (reply) => reply.url().endsWith('/api/login/passkey') && reply.status() === 200,
  );
  await page.goto(`${program.url}/auth?next=/app`);
  // If the browser offers it first, the button disappears before it can be pressed.
  const pressed = page.getByRole('button', { name: 'Use a passkey' }).click();
  pressed.catch(() => undefined);
  await signedIn;
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
  await page.goto(`${program.url}/app/settings/profile`);
  // If it was both offered and pressed, it may have signed in twice.
  await page
    .getByText(/^Signed in .* · Passkey$/)
    .first()
    .waitFor();

  await page.getByRole('button', { name: /^Remove / }).click();
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByText('No passkeys yet').waitFor();
});

test('if the organization requires a second factor, a member without one must set it up first', async () => {
  const { page } = ada;
  await page.goto(`${program.url}/app/settings`);
  await page.getByRole('link', { name: 'Security' }).click();
  const invited = await page.request.post(`${program.url}/api/users/invite`, {
    headers: { origin: program.url },
    data: { email: 'grace@example.com', role: 'AGENT' },
  });
  const { url } = await invited.json();
  const member = { ...credentials, email: 'grace@example.com' };
  const grace = new ApiUser(program.url);
  const names = { firstName: 'Grace', lastName: 'Hopper' };
  await grace.send('POST', `/api/invitations/${url.split('/').at(-1)}/accept`, {
    ...member,
    ...names,
  });
  await grace.send('POST', '/api/login', member);
  await page.getByRole('switch', { name: /Require two-factor sign-in/ }).click();
  await page.getByText('1 member hasn’t set one up yet.').waitFor();

  const other = await openBrowser({ width: 390, height: 844 });
  try {
    await grace.signIn(other);
    await other.page.goto(`${program.url}/app/rooms`);
    await other.page
      .getByRole('heading', { name: 'Your organization requires a second factor' })
      .waitFor();
    await other.page.getByRole('button', { name: 'Turn on' }).click();
    const key = ((await other.page.locator('code').textContent()) ?? '').replaceAll(' ', '');
    await other.page.getByLabel('Code from the app').fill(generateSync({ secret: key }));
    await other.page.getByRole('button', { name: 'Turn on' }).click();
    await other.page.getByRole('button', { name: 'I’ve saved them' }).click();
    await other.page.getByRole('heading', { name: 'Rooms' }).waitFor();
    expect(other.complaints).toEqual([]);
  } finally {
    await other.close();
  }
});

test('a common password causes a warning, and is accepted', async () => {
  const visitor = await openBrowser();
  try {
    const { page } = visitor;
    await page.goto(`${program.url}/auth?tab=register`);
    await page.getByLabel('Password', { exact: true }).fill('password1');
    await page.getByText('This password is too common').waitFor();
    await page.getByLabel('Password', { exact: true }).fill('seven purple otters');
    await page.getByText('This password is too common').waitFor({ state: 'detached' });
  } finally {
    await visitor.close();
  }
});
