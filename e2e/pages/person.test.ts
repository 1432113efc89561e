import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser, type Person } from '../support/browser.ts';
import { sharedProgram } from '../support/shared-program.ts';
import { signUp } from '../support/staff.ts';
import { englishOn } from '../support/texts.ts';

/** A folder for screenshots of the pages. */
const pictures = process.env.PICTURES;
const program = sharedProgram();
let german: Person;
let grace: Person;

beforeAll(async () => {
  german = await openBrowser({ locale: 'de-DE' });
  grace = await openBrowser();
  if (pictures) mkdirSync(pictures, { recursive: true });
});
afterAll(async () => {
  await german?.close();
  await grace?.close();
});

async function picture({ page }: Person, name: string): Promise<void> {
  if (pictures) await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
}

test('a German browser gets every page in German, including the server’s messages', async () => {
  const { page } = german;
  await page.goto(`${program.url}/auth?next=/app`);
  await page.getByRole('tab', { name: 'Konto erstellen' }).click();
  await page.getByRole('button', { name: 'Konto erstellen' }).click();
  await page.getByText('Bitte geben Sie eine gültige E-Mail-Adresse ein').waitFor();
  await page.getByText('Das Passwort braucht mindestens 6 Zeichen').waitFor();
  await expect.poll(() => englishOn(page)).toEqual([]);
  await picture(german, 'de-auth');
  await page.getByLabel('Vorname').fill('Ada');
  await page.getByLabel('Nachname').fill('Lovelace');
  await page.getByLabel('E-Mail').fill('ada@person.example');
  await page.getByLabel('Passwort', { exact: true }).fill('correct horse');
  await page.getByRole('button', { name: 'Konto erstellen' }).click();
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
  await page.getByText('Zurzeit keine aktiven Räume').waitFor();
  await expect.poll(() => page.evaluate(() => document.documentElement.lang)).toBe('de');
  await expect.poll(() => englishOn(page)).toEqual([]);
  await picture(german, 'de-dashboard');

  await page.getByRole('button', { name: 'Raum erstellen' }).first().click();
  await page.getByRole('button', { name: 'Erstellen und beitreten' }).click();
  await page.getByText('Bitte geben Sie ein Thema ein').waitFor();
  await expect.poll(() => englishOn(page)).toEqual([]);
  for (const [path, title] of [
    ['rooms', 'Räume'],
    ['playbooks', 'Playbooks'],
    ['analytics', 'Analysen'],
    ['settings', 'Einstellungen'],
    ['settings/profile', 'Ihr Profil'],
    ['settings/billing', 'Abrechnung'],
    ['settings/team', 'Team'],
    ['settings/audit-logs', 'Audit-Protokoll'],
  ]) {
    await page.goto(`${program.url}/app/${path}`);
    await page.getByRole('heading', { name: title ?? '', level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
    await expect.poll(() => englishOn(page), { message: path ?? '' }).toEqual([]);
    await picture(german, `de-${path?.replace('/', '-')}`);
  }
});

const background = ({ page }: Person) =>
  page.evaluate(() => getComputedStyle(document.body).backgroundColor);
const dark = 'rgb(14, 17, 22)';

test('choosing German in the profile translates the whole dashboard, and persists after a reload', async () => {
  const { page } = grace;
  const person = { firstName: 'Grace', lastName: 'Hopper', email: 'grace@person.example' };
  await signUp(grace, program.url, person);
  await page.getByRole('button', { name: /Grace Hopper/ }).click();
  await page.getByRole('menuitem', { name: 'Your profile' }).click();
  await page.getByRole('heading', { name: 'Your profile' }).waitFor();
  await picture(grace, 'profile');
  await page.getByLabel('Language').selectOption({ label: 'Deutsch' });
  await page.getByRole('heading', { name: 'Ihr Profil' }).waitFor();
  await picture(grace, 'profile-de');
  await page.getByRole('link', { name: 'Dashboard' }).click();
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
  await expect.poll(() => englishOn(page)).toEqual([]);
  await page.reload();
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
  await expect.poll(() => englishOn(page)).toEqual([]);
  await expect.poll(() => page.evaluate(() => document.documentElement.lang)).toBe('de');
});

test('the language belongs to the account, and applies in another browser at its first sign-in', async () => {
  const elsewhere = await openBrowser({ width: 390, height: 844 });
  const { page } = elsewhere;
  await page.goto(`${program.url}/auth?next=/app`);
  await page.getByLabel('Email').fill('grace@person.example');
  await page.getByLabel('Password', { exact: true }).fill('correct horse');
  await page.getByRole('button', { name: 'Sign In' }).click();
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
  await expect.poll(() => englishOn(page)).toEqual([]);
  await elsewhere.close();
});

test('dark is chosen from the sidebar, stored, and applied before the first paint', async () => {
  const { page } = grace;
  await expect.poll(() => background(grace)).not.toBe(dark);
  await page.getByRole('button', { name: /Grace Hopper/ }).click();
  await picture(grace, 'account-menu');
  await page.getByRole('menuitemradio', { name: 'Dunkel' }).click();
  await expect.poll(() => background(grace)).toBe(dark);
  await page.goto(`${program.url}/app/settings/profile`);
  await page.getByRole('heading', { name: 'Ihr Profil' }).waitFor();
  await expect.poll(() => background(grace)).toBe(dark);
  await expect.poll(() => page.getByLabel('Darstellung').inputValue()).toBe('dark');
  await picture(grace, 'profile-dark');
  // As the server sent it, before any script ran.
  for (const path of ['/app', '/auth', '/meet/x']) {
    const sent = await page.request.get(program.url + path, { headers: { accept: 'text/html' } });
    expect(await sent.text(), path).toContain('<html lang="de" data-theme="dark">');
  }
  await page.getByLabel('Darstellung').selectOption('system');
  await expect.poll(() => background(grace)).not.toBe(dark);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(() => background(grace)).toBe(dark);
  await page.emulateMedia({ colorScheme: 'light' });
});

test('the chosen language and theme apply in the meeting page inside the call’s frame', async () => {
  const { page } = grace;
  await page.getByLabel('Darstellung').selectOption('dark');
  const made = await page.request.post(`${program.url}/api/rooms`, { data: { topic: 'Looks' } });
  const { id } = await made.json();
  await page.goto(`${program.url}/app/rooms/${id}/call`);
  const meeting = page.frameLocator('.call-frame');
  await meeting.getByRole('button', { name: 'Beitreten', exact: true }).waitFor();
  const looks = await meeting.locator('html').evaluate(() => ({
    lang: document.documentElement.lang,
    background: getComputedStyle(document.body).backgroundColor,
  }));
  expect(looks).toEqual({ lang: 'de', background: dark });
  await expect.poll(() => page.evaluate(() => document.documentElement.lang)).toBe('de');
  await picture(grace, 'call-preview-dark-de');
  await page.goto(`${program.url}/app/settings/profile`);
  await page.getByLabel('Darstellung').selectOption('system');
});

test('a new name shows in the sidebar immediately; a new password requires the current one', async () => {
  const { page } = grace;
  await page.getByLabel('Vorname').fill('Grace B.');
  await page.getByRole('button', { name: 'Änderungen speichern' }).click();
  await page.getByRole('button', { name: /Grace B\. Hopper/ }).waitFor();
  await page.getByLabel('Aktuelles Passwort', { exact: true }).fill('wrong');
  await page.getByLabel('Neues Passwort', { exact: true }).fill('battery staple');
  await page.getByRole('button', { name: 'Passwort ändern' }).click();
  await page.getByRole('alert').getByText('Das ist nicht Ihr aktuelles Passwort').waitFor();
  await page.getByLabel('Aktuelles Passwort', { exact: true }).fill('correct horse');
  await page.getByRole('button', { name: 'Passwort ändern' }).click();
  await page.getByText('Passwort geändert').first().waitFor();
});

test('a picture shows in the sidebar and the team, without console errors, and can be removed', async () => {
  const { page } = grace;
  const red = await page.evaluate(() => {
    const canvas = document.createElement('canvas');
    const paint = canvas.getContext('2d');
    if (paint) {
      paint.fillStyle = '#c2410c';
      paint.fillRect(0, 0, 300, 150);
    }
    return canvas.toDataURL('image/png').split(',')[1] ?? '';
  });
  const file = { name: 'me.png', mimeType: 'image/png', buffer: Buffer.from(red, 'base64') };
  await page.getByLabel('Bild auswählen').setInputFiles(file);
  await page.getByText('Bild gespeichert').first().waitFor();
  const portrait = page.getByRole('complementary').locator('img[src^="/portraits/"]');
  await expect
    .poll(() =>
      portrait.evaluate((image) => (image instanceof HTMLImageElement ? image.naturalWidth : 0)),
    )
    .toBe(256);
  await picture(grace, 'profile-picture');
  await page.getByRole('link', { name: 'Team', exact: true }).click();
  await page.getByRole('main').locator('img[src^="/portraits/"]').waitFor();
  await page.goto(`${program.url}/app/settings/profile`);
  await page.getByRole('button', { name: 'Ihr Bild entfernen' }).click();
  await page.getByText('Bild entfernt').first().waitFor();
  await expect.poll(() => portrait.count()).toBe(0);
  // Chromium logs refusals: of the request before sign-in, and of the wrong password above.
  const refused = /\/api\/user(\/password)?\)$/;
  expect(grace.complaints.filter((text) => !refused.test(text))).toEqual([]);
});
