import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { DailyStandIn } from '#server/testing/daily-stand-in.ts';
import { type Prepared, prepareRoom } from '../support/api.ts';
import { axeViolations } from '../support/axe.ts';
import { openBrowser, type Person } from '../support/browser.ts';
import { discard, type Program, startProgram } from '../support/program.ts';

let daily: DailyStandIn;
let program: Program;
let prepared: Prepared;
let ada: Person;
let bo: Person;
let count = 0;
const patience = { timeout: 60_000 };
const pictures = process.env.PICTURES;

beforeAll(async () => {
  daily = await new DailyStandIn().open();
  program = await startProgram(daily.settings);
  ada = await openBrowser();
  bo = await openBrowser({ width: 390, height: 844, dark: true });
  if (pictures) mkdirSync(pictures, { recursive: true });
});
afterAll(async () => {
  await ada?.close();
  await bo?.close();
  if (program) await discard(program);
  await daily?.close();
});
beforeEach(async () => {
  count += 1;
  prepared = await prepareRoom(program.url, `Daily ${count}`);
  await prepared.user.signIn(ada);
});

const pageOf = ({ page }: Person) => page.frameLocator('iframe[title="Video call"]');
const picture = async ({ page }: Person, name: string) => {
  if (pictures) await page.screenshot({ path: join(pictures, `${name}.png`) });
};
async function adaEnters(): Promise<void> {
  await ada.page.goto(`${program.url}/app/rooms/${prepared.roomId}/call`);
  await pageOf(ada).getByRole('button', { name: 'Join meeting' }).click();
  await pageOf(ada).getByText('Ada Lovelace is in as an owner').waitFor();
}
async function boEnters(): Promise<void> {
  await bo.page.goto(prepared.guestUrl);
  await bo.page.getByLabel('Your name').fill('Bo');
  await picture(bo, 'daily-name');
  await bo.page.getByRole('button', { name: 'Join', exact: true }).click();
  await pageOf(bo).getByRole('button', { name: 'Join meeting' }).click();
  await pageOf(bo).getByText('Bo is in', { exact: true }).waitFor();
}
interface Call {
  participantsJson: { name: string }[];
  endedAt: string | null;
  notesSnapshot: string | null;
}
const callOfRoom = async () =>
  (await prepared.user.send<Call[]>('GET', `/api/calls?roomId=${prepared.roomId}`))[0];

test('the room URL plus the token are loaded in an embedded frame with camera, microphone, fullscreen and screen-capture permissions; host and guest meet there, and Leave Call opens the NPS dialog', async () => {
  await adaEnters();
  const frame = ada.page.locator('iframe[title="Video call"]');
  const address = new URL((await frame.getAttribute('src')) ?? '');
  const room = [...daily.rooms.values()].find(({ name }) => name.endsWith(prepared.roomId));
  expect(address.origin + address.pathname).toBe(room?.url);
  expect(daily.tokens.get(address.searchParams.get('t') ?? '')).toMatchObject({
    room_name: room?.name,
    is_owner: true,
  });
  expect(decodeURIComponent(address.href), 'no address of ours').not.toContain(
    `${prepared.roomId}/call`,
  );
  for (const permission of ['camera', 'microphone', 'fullscreen', 'display-capture']) {
    await expect.poll(() => frame.getAttribute('allow')).toContain(permission);
  }
  await ada.page.getByText('Live', { exact: true }).waitFor();
  await expect.poll(() => ada.page.getByRole('timer').textContent()).toMatch(/^\d+:\d\d$/);
  await picture(ada, 'daily-host');

  await boEnters();
  expect(await axeViolations(bo.page)).toEqual([]);
  await picture(bo, 'daily-guest');
  await expect
    .poll(
      async () => (await callOfRoom())?.participantsJson.map(({ name }) => name).sort(),
      patience,
    )
    .toEqual(['Ada Lovelace', 'Bo']);

  await pageOf(bo).getByRole('button', { name: 'Leave meeting' }).click();
  await bo.page.getByRole('heading', { name: 'You left the call' }).waitFor();
  await bo.page.getByRole('button', { name: 'Rejoin' }).click();
  await pageOf(bo).getByRole('button', { name: 'Join meeting' }).waitFor();

  await ada.page.getByRole('button', { name: 'Leave Call' }).click();
  await ada.page.getByText('Rate from 0 (not likely) to 10 (extremely likely)').waitFor();
  await bo.page.getByRole('heading', { name: 'The call has ended' }).waitFor();
  await expect.poll(async () => (await callOfRoom())?.endedAt, patience).not.toBeNull();
  expect([...ada.complaints, ...bo.complaints]).toEqual([]);
});

test('leaving by Daily’s own button leaves the call, too', async () => {
  await adaEnters();
  await pageOf(ada).getByRole('button', { name: 'Leave meeting' }).click();
  await ada.page.getByText('How did the call go?').waitFor();
});

test('a failure in Daily’s page shows what to do, notes are kept, and trying again rejoins', async () => {
  await adaEnters();
  await ada.page.getByRole('tab', { name: 'Notes' }).click();
  await ada.page.getByRole('textbox', { name: 'Call notes' }).fill('They renew in May.');
  await pageOf(ada).getByRole('button', { name: 'Be ejected' }).click();
  await ada.page.getByText('You were removed from the video').waitFor();
  expect(await axeViolations(ada.page)).toEqual([]);
  await picture(ada, 'daily-failed');
  await ada.page.getByText('Auto-saved').waitFor();
  await ada.page.getByRole('button', { name: 'Try again' }).click();
  await pageOf(ada).getByRole('button', { name: 'Join meeting' }).click();
  await pageOf(ada).getByText('Ada Lovelace is in as an owner').waitFor();
  expect((await callOfRoom())?.notesSnapshot).toBe('They renew in May.');
});

test('a guest’s expired token is replaced without a message; a deleted room is created again by trying again', async () => {
  let meanwhile: (() => void) | null = () => {
    for (const token of daily.tokens.values()) token.exp = 1;
  };
  await bo.page.route('**/api/hosted-admissions', async (route) => {
    const response = await route.fetch();
    meanwhile?.();
    meanwhile = null;
    await route.fulfill({ response });
  });
  await bo.page.goto(prepared.guestUrl);
  await bo.page.getByLabel('Your name').fill('Bo');
  await bo.page.getByRole('button', { name: 'Join', exact: true }).click();
  await pageOf(bo).getByRole('button', { name: 'Join meeting' }).waitFor();

  meanwhile = () => daily.rooms.clear();
  await bo.page.reload();
  await bo.page.getByRole('button', { name: 'Join', exact: true }).click();
  await bo.page.getByRole('heading', { name: 'The video room isn’t available' }).waitFor();
  expect(await axeViolations(bo.page)).toEqual([]);
  await picture(bo, 'daily-guest-failed');
  await bo.page.getByRole('button', { name: 'Try again' }).click();
  await pageOf(bo).getByRole('button', { name: 'Join meeting' }).waitFor();
});
