import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Prepared, prepareRoom } from '../support/api.ts';
import { openBrowser, type Person } from '../support/browser.ts';
import { discard, type Program, startProgram } from '../support/program.ts';

/** A folder for screenshots of the pages. */
const pictures = process.env.PICTURES;
const happy = `Ben: Thank you, the new reports are great and the whole team loves the checklists.
Ada: That is wonderful to hear! I'll send you the training videos by Friday.
Ben: Perfect. Honestly the license is a bit expensive for the second site, though.
Ada: Understood. Priya will prepare an offer for both sites next week.
`;
const filler = 'We walked through the dashboard, the calls and the playbook together. '.repeat(4);

let program: Program;
let ada: Person;
let grace: Person;
let prepared: Prepared;
let count = 0;

beforeAll(async () => {
  program = await startProgram({ VIDEO_PROVIDER: 'mock' });
  ada = await openBrowser({ devices: 'none' });
  grace = await openBrowser({ devices: 'none', width: 390, height: 844, dark: true });
  if (pictures) mkdirSync(pictures, { recursive: true });
});
afterAll(async () => {
  await ada?.close();
  await grace?.close();
  if (program) await discard(program);
});
beforeEach(async () => {
  count += 1;
  prepared = await prepareRoom(program.url, `Renewal ${count}`);
});

async function picture({ page }: Person, name: string): Promise<void> {
  if (pictures) await page.screenshot({ path: join(pictures, `${name}.png`) });
}

async function enter(person: Person): Promise<void> {
  await prepared.user.signIn(person);
  await person.page.goto(`${program.url}/app/rooms/${prepared.roomId}/call`);
  await person.page.getByText('Live').waitFor();
}

async function write({ page }: Person, text: string): Promise<void> {
  await page.getByRole('tab', { name: 'Notes' }).click();
  await page.getByRole('textbox', { name: 'Call notes' }).fill(text);
  await page.getByText('Auto-saved').waitFor();
}

interface List {
  actionItems: { id: string; owner: string | null; due: string | null; description: string }[];
  generatedAt: string | null;
}
const callOfRoom = async () => {
  const [call] = await prepared.user.send<{ id: string; endedAt: string | null }[]>(
    'GET',
    `/api/calls?roomId=${prepared.roomId}`,
  );
  return call;
};
const actionItems = async () =>
  prepared.user.send<List>('GET', `/api/calls/${(await callOfRoom())?.id}/action-items`);

test('a room whose URL has the mock marker shows a simulated demo interface with two fake participants', async () => {
  const room = await prepared.user.send<{ dailyUrl: string }>(
    'GET',
    `/api/rooms/${prepared.roomId}`,
  );
  expect(room.dailyUrl).toContain('mock-video');
  for (const person of [ada, grace]) {
    await enter(person);
    const { page } = person;
    await page.getByText('Simulated demo call').waitFor();
    await expect
      .poll(() => page.getByRole('figure').allInnerTexts())
      .toEqual([expect.stringContaining('Sarah Chen'), expect.stringContaining('Marcus Webb')]);
    await expect
      .poll(() => page.locator('iframe').count(), { message: 'nothing is loaded in a frame' })
      .toBe(0);
    for (const figure of await page.getByRole('figure').all()) {
      const box = await figure.boundingBox();
      expect(box?.height, 'seen without scrolling').toBeGreaterThan(90);
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(page.viewportSize()?.height ?? 0);
    }
    await picture(person, person === ada ? 'demo' : 'demo-narrow-dark');
  }
  const { page } = ada;
  await page.getByRole('timer').waitFor();
  await page.getByRole('button', { name: 'Leave Call' }).click();
  await page.getByText('Rate from 0 (not likely) to 10 (extremely likely)').waitFor();
  await page.getByText('Skip', { exact: true }).click();
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
});

test('notes are analyzed on request: Neutral, coaching, action items, and the analyzer’s name', async () => {
  await enter(ada);
  const { page } = ada;
  await page.getByRole('tab', { name: 'AI' }).click();
  await page.getByText('No insights yet').waitFor();
  await picture(ada, 'ai-empty');
  await page.getByRole('button', { name: 'Analyze' }).click();
  await page.getByText('No Content', { exact: true }).first().waitFor();
  await page
    .getByText('Add some conversation text to analyze by typing in the Notes tab')
    .first()
    .waitFor();

  await write(ada, happy);
  await page.getByRole('tab', { name: 'AI' }).click();
  await page.getByRole('button', { name: 'Analyze' }).click();
  await page.getByRole('region', { name: 'Sentiment' }).getByText('Neutral').waitFor();
  await page
    .getByRole('region', { name: 'Coaching suggestions' })
    .getByText(/license is a bit expensive/)
    .waitFor();
  const items = page.getByRole('region', { name: 'Action items' });
  await items.getByText(/^Fri, \w+ \d+$/).waitFor();
  await page.getByText(/Analyzed on your own server/).waitFor();
  await picture(ada, 'ai');
  await page.getByText(/Analyzed on your own server/).scrollIntoViewIfNeeded();
  await picture(ada, 'ai-items');
  await page.evaluate(() => document.documentElement.setAttribute('data-theme', 'dark'));
  await picture(ada, 'ai-dark');
  expect((await actionItems()).actionItems, 'what is shown is kept').toMatchObject([
    { owner: 'Ada', due: 'by Friday' },
    { owner: 'Priya', due: 'next week' },
  ]);

  await enter(grace);
  await grace.page.getByRole('tab', { name: 'AI' }).click();
  await grace.page.getByRole('button', { name: 'Analyze' }).click();
  await grace.page.getByRole('region', { name: 'Sentiment' }).getByText('Neutral').waitFor();
  await picture(grace, 'ai-narrow-dark');
  await expect
    .poll(() =>
      grace.page.evaluate(() => {
        const { scrollWidth, clientWidth } = document.documentElement;
        return scrollWidth - clientWidth;
      }),
    )
    .toBe(0);
});

test('two of staff leave simultaneously: the call has its action items once', {
  tags: 'full',
}, async () => {
  await enter(ada);
  await enter(grace);
  await write(ada, happy + filler);
  // Both have the same account: the first click ends the call, and with it the other page's button.
  const buttons = await Promise.all(
    [ada, grace].map(({ page }) =>
      page.getByRole('button', { name: 'Leave Call' }).elementHandle(),
    ),
  );
  await Promise.all(
    buttons.map((button) => button?.evaluate((element: HTMLElement) => element.click())),
  );
  await expect.poll(async () => (await callOfRoom())?.endedAt).toBeTruthy();
  await expect.poll(async () => (await actionItems()).generatedAt).toBeTruthy();
  const { actionItems: kept } = await actionItems();
  expect(kept.map(({ owner, due }) => [owner, due])).toEqual([
    ['Ada', 'by Friday'],
    ['Priya', 'next week'],
  ]);
  const events = await prepared.user.send<{ action: string }[]>('GET', '/api/audit-events');
  expect(events.filter(({ action }) => action === 'ACTION_ITEMS_CREATED').length).toBe(1);
});

test('both consoles have no errors', () => {
  expect([...ada.complaints, ...grace.complaints]).toEqual([]);
});
