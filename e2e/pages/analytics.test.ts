import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ApiUser } from '../support/api.ts';
import { openBrowser, type Person } from '../support/browser.ts';
import { discard, type Program, startProgram } from '../support/program.ts';

interface Figures {
  totalCalls: number;
  avgDuration: number;
  checklistCompletion: number;
  avgNpsScore: number;
  nps: { promoters: number; passives: number; detractors: number; score: number };
  trends: { calls: number }[];
}
interface Row {
  id: string;
  room: { topic: string };
}

/** The demo's organization: 200 calls in 90 days. */
let program: Program;
let mara: Person;
let api: ApiUser;

beforeAll(async () => {
  program = await startProgram({}, undefined, undefined, 'demo');
  api = new ApiUser(program.url);
  const signIn = { email: 'mara@northwind.example', password: 'demo-password' };
  await api.send('POST', '/api/login', signIn);
  mara = await openBrowser({ devices: 'none' });
  await api.signIn(mara);
});
afterAll(async () => {
  await mara?.close();
  if (program) await discard(program);
});

test('the figures on the page are those of the API', async () => {
  const { page } = mara;
  const figures = await api.send<Figures>('GET', '/api/analytics');
  await page.goto(`${program.url}/app`);
  await page.getByRole('link', { name: 'View Reports' }).click();
  await page.getByRole('heading', { name: 'Analytics', level: 1 }).waitFor();
  const card = (title: string) =>
    page
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: title, exact: true }) });
  const shows = async (title: string, value: string) =>
    await expect.poll(() => card(title).locator('p').first().textContent()).toBe(value);
  await page.getByText(`${figures.avgDuration} min`, { exact: true }).waitFor();
  await shows('Total Calls', String(figures.totalCalls));
  await shows('Avg Duration', `${figures.avgDuration} min`);
  await shows('Checklist Completion', `${figures.checklistCompletion}%`);
  await shows('Avg NPS Score', String(figures.avgNpsScore));

  const { promoters, passives, detractors, score } = figures.nps;
  await card('Customer Insights').getByText(String(score), { exact: true }).waitFor();
  await card('Customer Insights')
    .getByRole('button', { name: /^Show as table/ })
    .click();
  const rows = page.getByRole('table', { name: 'Customer Insights' }).locator('tbody tr');
  const counts = await rows.locator('td:nth-child(3)').allTextContents();
  expect(counts).toEqual([promoters, passives, detractors].map(String));

  const calls = figures.trends.map((day) => day.calls);
  const sum = calls.reduce((total, count) => total + count, 0);
  await page.getByRole('img', { name: `${sum} calls in the last 30 days` }).waitFor();
  await expect
    .poll(() => page.locator('.recharts-bar-rectangle path').count())
    .toBe(calls.filter((count) => count > 0).length);
  await page.getByRole('button', { name: 'Show as table: Call Trends' }).click();
  const days = page.getByRole('table', { name: 'Call Trends' }).locator('tbody td:nth-child(2)');
  await expect.poll(() => days.allTextContents()).toEqual(calls.map(String).reverse());
});

test('the second page has the next twenty calls, Previous shows the first page, and View opens one', async () => {
  const { page } = mara;
  const calls = await api.send<Row[]>('GET', '/api/calls?limit=40');
  const topics = calls.map(({ room }) => room.topic);
  await page.goto(`${program.url}/app/analytics`);
  const table = page.getByRole('table', { name: 'All Calls' });
  const shown = () => table.locator('tbody tr td:first-child a').allTextContents();
  await table.waitFor();
  await expect.poll(() => shown()).toEqual(topics.slice(0, 20));
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await page.getByText('Page 2').waitFor();
  await expect.poll(shown).toEqual(topics.slice(20));
  await table.getByRole('link', { name: /^View/ }).first().click();
  await page.getByRole('heading', { name: topics[20] ?? '', level: 1 }).waitFor();
  expect(new URL(page.url()).pathname).toMatch(/^\/app\/calls\/[^/]+$/);
  await page.goBack();
  await page.getByText('Page 2').waitFor();
  await page.getByRole('button', { name: 'Previous', exact: true }).click();
  await expect.poll(shown).toEqual(topics.slice(0, 20));
});

test('the export is a file with every call', async () => {
  const { page } = mara;
  await page.goto(`${program.url}/app/analytics`);
  const coming = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  const file = await (await coming).path();
  const lines = readFileSync(file, 'utf8').trimEnd().split('\r\n');
  const { totalCalls } = await api.send<Figures>('GET', '/api/analytics');
  expect(lines[0]).toMatch(/^\ufeffRoom,Started at/);
  const running = 1;
  expect(lines.length).toBe(1 + totalCalls + running);
});

test('a changed name and color show in the shell immediately, and to guests', async () => {
  const { page } = mara;
  await page.goto(`${program.url}/app/settings`);
  await page.getByLabel('Organization name').fill('Southwind Success');
  await page.getByLabel('Brand color', { exact: true }).fill('#b91c1c');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await page.getByText('Organization settings updated successfully', { exact: true }).waitFor();
  await page.locator('aside').getByText('Southwind Success').waitFor();
  const brand = (person: Person) =>
    person.page.evaluate(() =>
      getComputedStyle(document.documentElement).getPropertyValue('--brand'),
    );
  await expect.poll(() => brand(mara)).toBe('#b91c1c');

  const [room] = await api.send<{ id: string }[]>('GET', '/api/rooms');
  const link = await api.send<{ url: string }>('GET', `/api/rooms/${room?.id}/guest-link`);
  const guest = await openBrowser({ devices: 'none' });
  try {
    await guest.page.goto(link.url);
    await guest.page.getByLabel('Your name').waitFor();
    await expect.poll(() => brand(guest)).toBe('#b91c1c');
  } finally {
    await guest.close();
  }
});

test('Back and the menu ask before unsaved changes are lost', { tags: 'full' }, async () => {
  const { page } = mara;
  await page.goto(`${program.url}/app/rooms`);
  await page.getByRole('link', { name: 'Settings' }).click();
  const name = page.getByLabel('Organization name');
  await name.fill('Not saved');
  await page.goBack();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByRole('button', { name: 'Stay' }).click();
  expect(new URL(page.url()).pathname).toBe('/app/settings');
  await expect.poll(() => name.inputValue()).toBe('Not saved');
  await page.getByRole('link', { name: 'Analytics' }).click();
  await dialog.getByRole('button', { name: 'Stay' }).click();
  await expect.poll(() => name.inputValue()).toBe('Not saved');
  await page.goBack();
  await dialog.getByRole('button', { name: 'Leave' }).click();
  await page.getByRole('heading', { name: 'Rooms', level: 1 }).waitFor();
  expect(mara.complaints).toEqual([]);
});
