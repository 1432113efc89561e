import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser, type Person } from './support/browser.ts';
import { discard, type Program, startProgram } from './support/program.ts';
import { englishOn } from './support/texts.ts';

/** A folder to keep pictures of the pages in, for looking at them. */
const pictures = process.env.PICTURES;
let program: Program;
let german: Person;

beforeAll(async () => {
  program = await startProgram();
  german = await openBrowser({ locale: 'de-DE' });
  if (pictures) mkdirSync(pictures, { recursive: true });
});
afterAll(async () => {
  await german?.close();
  if (program) await discard(program);
});

async function picture({ page }: Person, name: string): Promise<void> {
  if (pictures) await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
}

test('a German browser finds every page in German, and what the server says too', async () => {
  const { page } = german;
  await page.goto(`${program.url}/auth?next=/app`);
  await page.getByRole('tab', { name: 'Konto anlegen' }).click();
  await page.getByRole('button', { name: 'Konto anlegen' }).click();
  await page.getByText('Bitte geben Sie eine gültige E-Mail-Adresse ein').waitFor();
  await page.getByText('Das Passwort braucht mindestens 6 Zeichen').waitFor();
  expect(await englishOn(page)).toEqual([]);
  await picture(german, 'de-auth');
  await page.getByLabel('Vorname').fill('Ada');
  await page.getByLabel('Nachname').fill('Lovelace');
  await page.getByLabel('E-Mail').fill('ada@acme.example');
  await page.getByLabel('Passwort', { exact: true }).fill('correct horse');
  await page.getByRole('button', { name: 'Konto anlegen' }).click();
  await page.getByRole('heading', { name: 'Übersicht' }).waitFor();
  await page.getByText('Zurzeit keine aktiven Räume').waitFor();
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('de');
  expect(await englishOn(page)).toEqual([]);
  await picture(german, 'de-dashboard');

  await page.getByRole('button', { name: 'Raum anlegen' }).click();
  await page.getByRole('button', { name: 'Anlegen und beitreten' }).click();
  await page.getByText('Bitte geben Sie ein Thema ein').waitFor();
  expect(await englishOn(page)).toEqual([]);
  for (const [path, title] of [
    ['rooms', 'Räume'],
    ['playbooks', 'Playbooks'],
    ['analytics', 'Auswertung'],
    ['settings', 'Einstellungen'],
    ['settings/team', 'Team'],
    ['settings/audit-logs', 'Protokoll'],
  ]) {
    await page.goto(`${program.url}/app/${path}`);
    await page.getByRole('heading', { name: title ?? '', level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
    expect(await englishOn(page), path).toEqual([]);
    await picture(german, `de-${path?.replace('/', '-')}`);
  }
});
