import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Prepared, prepareRoom } from '../support/api.ts';
import { axeViolations } from '../support/axe.ts';
import { openBrowser, type Person } from '../support/browser.ts';
import { keepConnections } from '../support/connections.ts';
import { seesMoving } from '../support/pixels.ts';
import { sharedProgram } from '../support/shared-program.ts';
import { endForEveryone, frameOf, joinFromPreview, meetingFrame } from '../support/staff.ts';

const remoteVideo = 'li.tile:not([data-own]) video';
const program = sharedProgram();
let prepared: Prepared;
let agent: Person;
let guest: Person;

beforeAll(async () => {
  prepared = await prepareRoom(program.url, 'Taken along');
  agent = await openBrowser({ devices: 'allow', camera: 'red' });
  guest = await openBrowser({ camera: 'blue', width: 640, height: 480 });
  await prepared.user.signIn(agent);
});
afterAll(async () => {
  await agent?.close();
  await guest?.close();
});

const small = () => agent.page.getByRole('region', { name: 'Call: Taken along' });
/** Follows a link of the navigation, which is in a drawer on the call's page. */
const goTo = async (title: string) => {
  const menu = agent.page.getByRole('button', { name: 'Open menu' });
  const link = agent.page.getByRole('link', { name: title, exact: true }).first();
  await link.or(menu).first().waitFor();
  if (!(await link.isVisible())) await menu.click();
  await link.click();
  await agent.page.getByRole('heading', { name: title, exact: true }).waitFor();
};
/** Whether in one second none of the other's video was decoded, but audio was. */
const standsStill = async () =>
  (await frameOf(agent)).evaluate(async () => {
    const counted = async () => {
      const sums = { frames: 0, sound: 0 };
      for (const connection of Reflect.get(window, 'connectionsOfPage') as RTCPeerConnection[]) {
        for (const entry of (await connection.getStats()).values()) {
          if (entry.type !== 'inbound-rtp') continue;
          if (entry.kind === 'video') sums.frames += entry.framesDecoded;
          else sums.sound += entry.packetsReceived;
        }
      }
      return sums;
    };
    const before = await counted();
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const after = await counted();
    return after.frames === before.frames && after.sound > before.sound;
  });
const isMarked = async () => (await frameOf(agent)).evaluate(() => 'marked' in window);

test('leaving the call’s page keeps the call in a small window, and returning shows the same document', async () => {
  const { page } = agent;
  await page.addInitScript(keepConnections);
  await page.goto(`${program.url}/app/rooms/${prepared.roomId}/call`);
  await joinFromPreview(agent);
  await guest.page.goto(prepared.guestUrl);
  await guest.page.getByLabel('Your name').fill('Grace');
  await guest.page.getByRole('button', { name: 'Join', exact: true }).click();
  await seesMoving(await frameOf(agent), remoteVideo, 'blue');
  await (await frameOf(agent)).evaluate(() => Object.assign(window, { marked: true }));
  await page.getByRole('checkbox', { name: 'Greet' }).check();
  await page.getByRole('tab', { name: 'Notes' }).click();
  await page.getByRole('textbox', { name: 'Call notes' }).fill('Kept while away.');

  await goTo('Rooms');
  await small().getByRole('timer').waitFor();
  await seesMoving(await frameOf(agent), remoteVideo, 'blue');
  await goTo('Analytics');
  await seesMoving(await frameOf(agent), remoteVideo, 'blue');
  expect(await isMarked(), 'the frame was loaded anew').toBe(true);
  expect(await axeViolations(page)).toEqual([]);

  const corner = () => small().getAttribute('data-corner');
  await expect.poll(() => corner()).toBe('bottom-right');
  await small()
    .getByRole('button', { name: /^Move the call/ })
    .press('ArrowUp');
  await expect.poll(() => corner()).toBe('top-right');
  const box = await small().boundingBox();
  if (box === null) throw new Error('the small window is nowhere');
  await page.mouse.move(box.x + 20, box.y + 15);
  await page.mouse.down();
  await page.mouse.move(300, 700, { steps: 5 });
  await page.mouse.up();
  await expect.poll(corner).toBe('bottom-left');
  const frame = await page.locator('iframe[title="Video call"]').boundingBox();
  const moved = await small().boundingBox();
  if (frame === null || moved === null) throw new Error('the picture is nowhere');
  expect(frame.y, 'the picture lies in its window').toBeGreaterThan(moved.y);
  expect(frame.y + frame.height).toBeLessThan(moved.y + moved.height);
  expect(frame.x).toBeGreaterThanOrEqual(moved.x);

  // A folded window is not watched: its video is neither sent nor decoded until it is unfolded.
  await small().getByRole('button', { name: 'Hide video' }).click();
  await expect.poll(standsStill).toBe(true);
  await small().getByRole('button', { name: 'Show video' }).click();
  await seesMoving(await frameOf(agent), remoteVideo, 'blue');

  await small().getByRole('button', { name: 'Mute microphone' }).click();
  await guest.page.locator('li.tile:not([data-own])').getByLabel('muted').waitFor();
  await small().getByRole('button', { name: 'Unmute microphone' }).waitFor();

  await page.setViewportSize({ width: 390, height: 844 });
  await small().getByRole('link', { name: 'Back to the call' }).click();
  await meetingFrame(agent).getByRole('button', { name: 'Chat' }).waitFor();
  await page.setViewportSize({ width: 1280, height: 800 });
  expect(await isMarked(), 'the frame was loaded anew').toBe(true);
  await seesMoving(await frameOf(agent), remoteVideo, 'blue');
  await expect.poll(() => page.getByRole('checkbox', { name: 'Greet' }).isChecked()).toBe(true);
  await page.getByRole('tab', { name: 'Notes' }).click();
  await expect
    .poll(() => page.getByRole('textbox', { name: 'Call notes' }).inputValue())
    .toBe('Kept while away.');
});

test('another room asks before the call is left, and leaving from the small window asks for the score there', {
  tags: 'full',
}, async () => {
  const { page } = agent;
  const { id } = await prepared.user.send<{ id: string }>('POST', '/api/rooms', { topic: 'Next' });
  await goTo('Rooms');
  await page.locator(`a[href="/app/rooms/${id}/call"]`).click();
  await page.getByText('You’re in another call').waitFor();
  await seesMoving(await frameOf(agent), remoteVideo, 'blue');
  await page.getByRole('main').getByRole('link', { name: 'Back to the call' }).click();
  await goTo('Rooms');
  await endForEveryone(page, small());
  await page.getByRole('dialog').getByRole('button', { name: 'Skip' }).first().click();
  await small().waitFor({ state: 'detached' });
  await expect.poll(() => page.locator('iframe').count()).toBe(0);
  expect(new URL(page.url()).pathname).toBe('/app/rooms');
  await guest.page
    .getByText(/has ended/)
    .first()
    .waitFor();
  expect(agent.complaints).toEqual([]);
});
