import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Prepared, prepareRoom } from '../support/api.ts';
import { openBrowser, type Person } from '../support/browser.ts';
import { seesMoving } from '../support/pixels.ts';
import { sharedProgram } from '../support/shared-program.ts';
import { frameOf, joinFromPreview, meetingFrame } from '../support/staff.ts';

const remoteVideo = 'li.tile:not([data-own]) video';
const program = sharedProgram();
let prepared: Prepared;
const open: Person[] = [];

async function somebody(...args: Parameters<typeof openBrowser>): Promise<Person> {
  const person = await openBrowser(...args);
  open.push(person);
  return person;
}

async function asks(name: string, look: Parameters<typeof openBrowser>[0] = {}): Promise<Person> {
  const person = await somebody({ width: 640, height: 640, ...look });
  await person.page.goto(prepared.guestUrl);
  await person.page.getByLabel('Your name').fill(name);
  await person.page.getByRole('button', { name: 'Ask to join' }).click();
  await person.page.getByRole('heading', { name: 'You’re in the lobby' }).waitFor();
  return person;
}

beforeAll(async () => {
  prepared = await prepareRoom(program.url, 'Lobby');
  await prepared.user.send('PATCH', `/api/rooms/${prepared.roomId}`, { lobby: true });
});
afterAll(() => Promise.all(open.map((person) => person.close())));

test('guests wait; the host gets a sound, sees the names, writes, admits one and denies another', async () => {
  const bo = await asks('Bo', { camera: 'blue' });
  await bo.page.getByText('Your host hasn’t arrived yet.').waitFor();

  const host = await somebody({ width: 1280, height: 800, camera: 'red' });
  await prepared.user.signIn(host);
  await host.context.addInitScript(() => {
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (...given) {
      document.documentElement.dataset.tones = String(
        Number(document.documentElement.dataset.tones ?? 0) + 1,
      );
      start.apply(this, given);
    };
  });
  await host.page.goto(`${program.url}/app/rooms/${prepared.roomId}/call`);
  await joinFromPreview(host);
  const meeting = meetingFrame(host);
  await meeting.getByText('Bo is waiting to join').waitFor();
  await expect.poll(() => host.page.title()).toMatch(/^\(1\) Lobby/);
  const frame = await frameOf(host);
  await expect.poll(() => frame.title()).toMatch(/^\(1\) Lobby/);
  const tones = () => frame.evaluate(() => document.documentElement.dataset.tones);
  await expect.poll(tones).toBe('2');
  await bo.page.getByText('Your host knows you’re waiting').waitFor();

  await meeting.getByRole('button', { name: 'View' }).click();
  await meeting.getByRole('button', { name: 'Message Bo' }).click();
  await meeting.getByLabel('Message to Bo').fill('Two minutes, please');
  await meeting.getByRole('button', { name: 'Send' }).click();
  await bo.page.getByText('Two minutes, please').waitFor();

  await bo.page.reload();
  await bo.page.getByText('Two minutes, please').waitFor();
  await meeting.getByRole('button', { name: 'Admit Bo' }).waitFor();
  await expect.poll(() => tones(), { message: 'who only reloads makes no sound' }).toBe('2');

  await meeting.getByRole('button', { name: 'Admit Bo' }).click();
  await seesMoving(frame, remoteVideo, 'blue');
  await seesMoving(bo.page, remoteVideo, 'red');
  await expect.poll(() => host.page.title()).toMatch(/^Lobby/);

  const cy = await asks('Cy');
  await meeting.getByRole('button', { name: 'Deny Cy' }).click();
  await cy.page.getByRole('heading', { name: 'You weren’t admitted' }).waitFor();
  await cy.page.reload();
  await cy.page.getByRole('heading', { name: 'You weren’t admitted' }).waitFor();
  await expect.poll(() => bo.page.getByText('Cy').count()).toBe(0);
  expect(open.flatMap(({ complaints }) => complaints)).toEqual([]);
});

test('Admit all admits every waiting guest', { tags: 'full' }, async () => {
  const [host] = open.filter(({ page }) => page.url().includes('/app/'));
  if (!host) throw new Error('unreachable: the test before has opened the host');
  const guests = [await asks('Dan'), await asks('Eve')];
  await meetingFrame(host).getByRole('button', { name: 'Admit all' }).click();
  for (const { page } of guests) await page.getByRole('button', { name: 'Leave' }).waitFor();
  expect(open.flatMap(({ complaints }) => complaints)).toEqual([]);
});
