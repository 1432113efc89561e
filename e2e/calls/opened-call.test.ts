import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Prepared, prepareRoom } from '../support/api.ts';
import { openBrowser, type Person } from '../support/browser.ts';
import { seesMoving } from '../support/pixels.ts';
import { sharedProgram } from '../support/shared-program.ts';
import { frameOf, joinFromPreview, makeRoom, meetingFrame } from '../support/staff.ts';

const remoteVideo = 'li.tile:not([data-own]) video';
const program = sharedProgram();
let prepared: Prepared;
let agent: Person;
let guest: Person;

beforeAll(async () => {
  prepared = await prepareRoom(program.url, 'Only looked in');
  agent = await openBrowser({ devices: 'allow', camera: 'red' });
  guest = await openBrowser({ camera: 'blue', width: 640, height: 480 });
  await prepared.user.signIn(agent);
});
afterAll(async () => {
  await agent?.close();
  await guest?.close();
});

type ListedCall = { id: string; endedAt: string | null; durationSec: number | null };
const listCalls = (roomId = prepared.roomId) =>
  prepared.user.send<(ListedCall & { internal: boolean })[]>('GET', `/api/calls?roomId=${roomId}`);
const timer = () => agent.page.getByRole('timer', { name: 'Elapsed time' }).first();
const openCall = () => agent.page.goto(`${program.url}/app/rooms/${prepared.roomId}/call`);
const isDashboard = () => agent.page.getByRole('heading', { name: 'Dashboard' }).waitFor();

test('a call screen that was only opened has no running clock, asks for no score, and leaves no call', async () => {
  const { page } = agent;
  await openCall();
  await meetingFrame(agent).getByRole('button', { name: 'Join', exact: true }).waitFor();
  await expect.poll(async () => (await listCalls()).length).toBe(1);
  await page.getByTitle('The clock starts when someone joins.').waitFor();
  expect(await timer().textContent()).toBe('0:00');
  await page.getByRole('button', { name: 'Leave Call' }).click();
  await isDashboard();
  expect(await page.getByRole('dialog').count()).toBe(0);
  await expect.poll(async () => (await listCalls()).length).toBe(0);
});

test('“Create” makes a room without opening its call', async () => {
  const { page } = agent;
  await page.goto(`${program.url}/app/rooms?room`);
  const dialog = page.getByRole('dialog', { name: 'Create Room' });
  await dialog.getByLabel('Room Topic').fill('For later');
  await dialog.getByRole('button', { name: 'Create', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('For later').first().waitFor();
  expect(new URL(page.url()).pathname).toBe('/app/rooms');
});

test('a call without a guest is marked as internal', async () => {
  const { page } = agent;
  const roomId = await makeRoom(agent, program.url, 'Among us');
  await joinFromPreview(agent);
  await expect.poll(() => timer().textContent()).toMatch(/^0:0[1-9]$/);
  await page.getByRole('button', { name: 'Leave Call' }).click();
  await page.getByRole('dialog').getByText('Skip', { exact: true }).click();
  await isDashboard();
  await page
    .getByRole('row', { name: /Among us/ })
    .getByText('Internal')
    .waitFor();
  expect(await listCalls(roomId)).toMatchObject([{ internal: true }]);
});

test('the host leaves, her guest stays, and the call ends with the guest', async () => {
  const { page } = agent;
  await openCall();
  await joinFromPreview(agent);
  // Of sockets of calls that were left while they opened, which the browser may report late.
  agent.complaints.length = 0;
  await guest.page.goto(prepared.guestUrl);
  await guest.page.getByLabel('Your name').fill('Grace');
  await guest.page.getByRole('button', { name: 'Join', exact: true }).click();
  await seesMoving(await frameOf(agent), remoteVideo, 'blue');

  // Shortcuts of the meeting work in the notes, too.
  await page.getByRole('tab', { name: 'Notes' }).click();
  await page.getByRole('textbox', { name: 'Call notes' }).fill('Hush');
  await page.keyboard.press('Control+d');
  await guest.page.locator('li.tile:not([data-own])').getByLabel('muted').waitFor();

  // Escape closes what is on top.
  const meeting = meetingFrame(agent);
  await meeting.getByRole('button', { name: 'Chat' }).click();
  const closeChat = meeting.getByRole('button', { name: 'Close the chat' });
  await closeChat.waitFor();
  await meeting.getByRole('button', { name: 'React' }).click();
  const menu = meeting.locator('.react-menu:popover-open');
  await menu.waitFor();
  await page.keyboard.press('Escape');
  await menu.waitFor({ state: 'detached' });
  expect(await closeChat.isVisible()).toBe(true);
  await page.keyboard.press('Escape');
  await closeChat.waitFor({ state: 'detached' });

  await page.getByRole('button', { name: 'Leave Call' }).click();
  await page.getByRole('menuitem', { name: 'The call continues for the others.' }).click();
  await page.getByRole('dialog').getByText('Skip', { exact: true }).click();
  await isDashboard();
  await guest.page.locator('li.tile:not([data-own])').waitFor({ state: 'detached' });
  expect(await listCalls()).toMatchObject([{ endedAt: null }]);
  await guest.page.getByRole('button', { name: 'Leave' }).click();
  await expect
    .poll(async () => (await listCalls())[0])
    .toEqual(expect.objectContaining({ endedAt: expect.any(String) }));
  expect((await listCalls())[0]).not.toHaveProperty('internal');
  expect([...agent.complaints, ...guest.complaints]).toEqual([]);
});
