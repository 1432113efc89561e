import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Prepared, prepareRoom } from '../support/api.ts';
import { axeViolations } from '../support/axe.ts';
import { openBrowser, type Person } from '../support/browser.ts';
import { sharedProgram } from '../support/shared-program.ts';

const pictures = process.env.PICTURES;
const program = sharedProgram();
let prepared: Prepared;
let agent: Person;
let guest: Person;

beforeAll(async () => {
  prepared = await prepareRoom(program.url, 'Review with Globex');
  agent = await openBrowser();
  guest = await openBrowser({ width: 390, height: 844, dark: true, locale: 'de-DE' });
  await prepared.user.signIn(agent);
  if (pictures) mkdirSync(pictures, { recursive: true });
});
afterAll(async () => {
  await agent?.close();
  await guest?.close();
});

async function look({ page }: Person, name: string): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  if (pictures) await page.screenshot({ path: join(pictures, `${name}.png`) });
  expect(await axeViolations(page), name).toEqual([]);
}

const day = [{ from: '00:00', to: '24:00' }];
const setHours = (week: object[][]) =>
  prepared.user.send('PUT', `/api/rooms/${prepared.roomId}/guest-access`, {
    openingHours: { timeZone: 'UTC', week, closedDays: [] },
  });

test('a room is shared as a QR code with the organization’s name, which can be saved, and as an invitation', async () => {
  const { page } = agent;
  await page.goto(`${program.url}/app/rooms`);
  await page.getByRole('heading', { name: 'Your personal room' }).waitFor();
  await look(agent, 'rooms');
  const card = page.locator('section', {
    has: page.getByRole('heading', { name: 'Review with Globex' }),
  });
  await card.getByRole('button', { name: 'QR code and invitation' }).click();
  await page
    .getByRole('img', { name: 'QR code for the guest link of Review with Globex' })
    .waitFor();
  await look(agent, 'share');
  for (const ending of ['SVG', 'PNG']) {
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: ending, exact: true }).click();
    const saved = await download;
    expect(saved.suggestedFilename()).toBe(`review-with-globex-qr.${ending.toLowerCase()}`);
    const content = readFileSync(await saved.path());
    if (ending === 'SVG') expect(String(content)).toContain('Acme Success');
    else expect(content.subarray(1, 4).toString()).toBe('PNG');
  }
  await page.getByRole('button', { name: 'Copy invitation' }).click();
  await page.getByText('Invitation copied', { exact: true }).first().waitFor();
  await page.keyboard.press('Escape');
});

test('an agent creates a link for one guest, and revokes it; its page shows that', async () => {
  const { page } = agent;
  await page.goto(`${program.url}/app/rooms?access=${prepared.roomId}`);
  await page.getByLabel('Link name').fill('For the board');
  await page.getByRole('switch', { name: 'For one guest' }).check();
  await page.getByRole('button', { name: 'Create link' }).click();
  await page.getByText('valid', { exact: true }).waitFor();
  await look(agent, 'links');
  const links = await prepared.user.send<{ url: string }[]>(
    'GET',
    `/api/rooms/${prepared.roomId}/guest-links`,
  );
  await page.getByRole('button', { name: 'Revoke For the board' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
  await page.getByText('revoked', { exact: true }).waitFor();
  await guest.page.goto(links[0]?.url ?? '');
  await guest.page.getByText('Dieser Link wurde widerrufen.').waitFor();
});

test('opening hours are set; a wrong time is reported at its day', async () => {
  const { page } = agent;
  await page.goto(`${program.url}/app/rooms?access=${prepared.roomId}`);
  await page.getByRole('tab', { name: 'Hours' }).click();
  await page.getByRole('switch', { name: 'Opening hours' }).check();
  await page.getByLabel('Monday: to').fill('08:00');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await page.getByText('The end must be after the start').waitFor();
  await look(agent, 'hours');
  await page.getByLabel('Monday: to').fill('18:00');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await page.getByText('Saved', { exact: true }).first().waitFor();
  await page.getByRole('tab', { name: 'Lobby' }).click();
  await page.getByLabel('Lobby message').fill('We are with you soon.');
  await page.getByRole('button', { name: 'Save message' }).click();
  await look(agent, 'waiting');
  const access = await prepared.user.send('GET', `/api/rooms/${prepared.roomId}/guest-access`);
  expect(access).toMatchObject({ openingHours: { week: { 0: [{ from: '09:00', to: '18:00' }] } } });
});

test('a closed room shows in the guest’s language when it opens, and its page opens at that time', async () => {
  const { page } = guest;
  const inDays = (days: number) => (new Date().getUTCDay() + 6 + days) % 7;
  await setHours(Array.from({ length: 7 }, (_, index) => (index === inDays(3) ? day : [])));
  await page.goto(prepared.guestUrl);
  await page.getByRole('heading', { name: 'Dieser Raum ist gerade geschlossen' }).waitFor();
  await page.getByText('Zum Kalender hinzufügen').waitFor();
  await look(guest, 'closed');
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Zum Kalender hinzufügen' }).click();
  expect(readFileSync(await (await download).path(), 'utf8')).toContain('BEGIN:VEVENT');
  await setHours(Array.from({ length: 7 }, () => day));
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  await page.getByLabel('Ihr Name').waitFor();
});

test('the address of a personal room leads a guest to its lobby', async () => {
  const { url } = await prepared.user.send<{ url: string }>('GET', '/api/personal-room');
  await guest.page.goto(url);
  expect(new URL(guest.page.url()).pathname).toMatch(/^\/join\//);
  await guest.page.getByRole('heading', { name: 'Ada Lovelace' }).waitFor();
  await guest.page.getByText('lässt Sie herein').waitFor();
  await guest.page.goto(`${program.url}/meet-me/nobody-here`);
  await guest.page.getByText('Dieser Link führt nirgendwohin.').waitFor();
  for (const person of [agent, guest])
    expect(person.complaints.filter((line) => !/40[49]|410/.test(line))).toEqual([]);
});
