import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Prepared, prepareRoom } from '../support/api.ts';
import { axeViolations } from '../support/axe.ts';
import { openBrowser, type Person } from '../support/browser.ts';
import { seesMoving } from '../support/pixels.ts';
import { sharedProgram } from '../support/shared-program.ts';

const program = sharedProgram();
let prepared: Prepared;
const open: Person[] = [];

async function guest(name: string, camera: 'red' | 'blue' | 'green'): Promise<Page> {
  const person = await openBrowser({ camera, width: 900, height: 640 });
  open.push(person);
  const { page } = person;
  await page.goto(prepared.guestUrl);
  await page.getByLabel('Your name').fill(name);
  await page.getByRole('button', { name: 'Join', exact: true }).click();
  await page.locator('.tile[data-own]').waitFor();
  return page;
}

beforeAll(async () => {
  prepared = await prepareRoom(program.url, 'Layouts');
});
afterAll(() => Promise.all(open.map((person) => person.close())));

const tileOf = (page: Page, name: string) =>
  page.locator('li.tile').filter({ has: page.locator('.plate').getByText(name, { exact: true }) });
const tiles = (page: Page) => page.locator('.tiles');
const own = (page: Page) => page.locator('.tile[data-own]');
const layoutOf = (page: Page) => tiles(page).getAttribute('data-layout');

test('layouts, the self-view, the active speaker, and holding Space to talk', async () => {
  const ada = await guest('Ada', 'red');
  const bo = await guest('Bo', 'blue');
  await seesMoving(bo, 'li.tile:has(video[aria-label="Ada"]) video', 'red');

  // The fake microphone beeps: an unmuted participant has a frame and an icon, a muted one has not.
  await tileOf(bo, 'Ada').getByRole('img', { name: 'speaking' }).waitFor();
  await ada.getByRole('button', { name: 'Mute microphone' }).click();
  await tileOf(bo, 'Ada').getByRole('img', { name: 'speaking' }).waitFor({ state: 'detached' });
  await tileOf(bo, 'Ada').getByRole('img', { name: 'muted' }).waitFor();

  await ada.keyboard.down('Space');
  await tileOf(bo, 'Ada').getByRole('img', { name: 'muted' }).waitFor({ state: 'detached' });
  await ada.keyboard.up('Space');
  await tileOf(bo, 'Ada').getByRole('img', { name: 'muted' }).waitFor();

  await ada.keyboard.press('Shift+?');
  await ada.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  expect(await axeViolations(ada)).toEqual([]);
  await ada.keyboard.press('Escape');
  await ada.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor({ state: 'detached' });

  await expect.poll(() => layoutOf(bo)).toBe('pair');
  const corner = () => own(bo).getAttribute('data-corner');
  await expect.poll(() => corner()).toBe('bottom-right');
  const move = bo.getByRole('button', { name: /^Move self-view/ });
  await move.focus();
  await bo.keyboard.press('ArrowUp');
  await expect.poll(() => corner()).toBe('top-right');
  const box = await own(bo).boundingBox();
  if (box === null) throw new Error('the own picture is nowhere');
  await bo.mouse.move(box.x + 30, box.y + box.height - 20);
  await bo.mouse.down();
  await bo.mouse.move(200, 460, { steps: 5 });
  await bo.mouse.up();
  await expect.poll(corner).toBe('bottom-left');

  await bo.getByRole('button', { name: 'Hide self-view' }).press('Enter');
  await own(bo).waitFor({ state: 'detached' });
  await bo.reload();
  await bo.getByRole('button', { name: 'Show self-view' }).press('Enter');
  await expect.poll(corner).toBe('bottom-left');
  expect(open.flatMap(({ complaints }) => complaints)).toEqual([]);

  const cy = await guest('Cy', 'green');
  await expect.poll(() => layoutOf(bo)).toBe('grid');
  await bo.getByRole('button', { name: 'Pin Ada' }).press('Enter');
  await bo.locator('.tile[data-large]').getByRole('button', { name: 'Unpin Ada' }).waitFor();
  await expect.poll(() => layoutOf(bo)).toBe('speaker');
  await seesMoving(bo, '.tile[data-large] video', 'red');
  await seesMoving(bo, 'li.tile:has(video[aria-label="Cy"]) video', 'green');

  // On a small page the chat covers the videos, and none of them is drawn.
  const drawn = () =>
    bo
      .locator('.tiles video')
      .evaluateAll((videos) => videos.filter((one) => 'srcObject' in one && one.srcObject).length);
  await expect.poll(() => drawn()).toBe(3);
  await bo.setViewportSize({ width: 390, height: 700 });
  await bo.getByRole('button', { name: 'Chat' }).click();
  await expect.poll(drawn).toBe(0);
  await bo.getByRole('button', { name: 'Close the chat' }).click();
  await seesMoving(bo, '.tile[data-large] video', 'red');
  await bo.setViewportSize({ width: 900, height: 640 });

  // Ada is muted, Cy beeps: the speaker layout shows Cy.
  await bo.getByRole('button', { name: 'Layout' }).click();
  await bo.getByRole('radio', { name: /^Speaker/ }).check();
  expect(await axeViolations(bo)).toEqual([]);
  await bo.keyboard.press('Escape');
  await expect
    .poll(() => bo.locator('.tile[data-large]').getAttribute('data-participant'), {
      timeout: 20_000,
    })
    .toBe(await tileOf(bo, 'Cy').getAttribute('data-participant'));
  await seesMoving(bo, '.tile[data-large] video', 'green');
  await cy.getByRole('button', { name: 'Leave' }).click();
  await expect.poll(() => layoutOf(bo)).toBe('pair');
  expect(open.flatMap(({ complaints }) => complaints)).toEqual([]);
});

test('a microphone that clips shows a notice that says what to do, until it is hidden', {
  tags: 'full',
}, async () => {
  const person = await openBrowser({ width: 900, height: 640 });
  open.push(person);
  const { page } = person;
  await page.addInitScript(() => {
    navigator.mediaDevices.getUserMedia = async () => {
      const context = new AudioContext();
      const tone = context.createOscillator();
      const louder = new GainNode(context, { gain: 8 });
      const out = context.createMediaStreamDestination();
      tone.connect(louder).connect(out);
      tone.start();
      return out.stream;
    };
  });
  await page.goto(prepared.guestUrl);
  await page.getByLabel('Your name').fill('Loud');
  await page.getByRole('button', { name: 'Join', exact: true }).click();
  const sentence = page.getByText(/^Your microphone is too loud/);
  await sentence.waitFor();
  await page.getByRole('button', { name: 'Hide', exact: true }).click();
  await sentence.waitFor({ state: 'detached' });
});
