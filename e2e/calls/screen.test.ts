import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Prepared, prepareRoom } from '../support/api.ts';
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
  return page;
}

beforeAll(async () => {
  prepared = await prepareRoom(program.url, 'Screens');
});
afterAll(() => Promise.all(open.map((person) => person.close())));

const screenOf = (page: Page, name: string) => page.getByLabel(`${name}’s screen`);

/** Waits until the shared screen shows and its content changes. */
async function seesScreen(page: Page, name: string): Promise<void> {
  const picture = screenOf(page, name);
  await picture.waitFor();
  const drawn = () =>
    picture.evaluate((video) => {
      const canvas = document.createElement('canvas');
      canvas.width = 64;
      canvas.height = 36;
      const context = canvas.getContext('2d');
      if (!context || !(video instanceof HTMLVideoElement) || video.videoWidth === 0) return '';
      context.drawImage(video, 0, 0, 64, 36);
      return canvas.toDataURL();
    });
  const pictures = new Set<string>();
  await expect.poll(async () => pictures.add(await drawn()).size).toBeGreaterThan(3);
}

test('a screen share shows beside the participants, also for those who join later, and one click ends it', {
  tags: 'full',
}, async () => {
  const ada = await guest('Ada', 'red');
  const bo = await guest('Bo', 'blue');
  await seesMoving(bo, 'li.tile:has(video[aria-label="Ada"]) video', 'red');
  await ada.getByRole('button', { name: 'Share your screen' }).click();
  await ada.getByText('You’re sharing your screen').waitFor();
  await seesScreen(bo, 'Ada');
  await seesMoving(bo, 'li.tile:has(video[aria-label="Ada"]) video', 'red');

  const cy = await guest('Cy', 'green');
  await seesScreen(cy, 'Ada');
  await seesMoving(cy, 'li.tile:has(video[aria-label="Bo"]) video', 'blue');

  await bo.getByRole('button', { name: 'Share your screen' }).click();
  await seesScreen(cy, 'Bo');
  await seesScreen(ada, 'Bo');
  await expect.poll(() => cy.locator('.screens video').count()).toBe(2);

  await ada.getByRole('button', { name: 'Stop sharing' }).first().click();
  await screenOf(cy, 'Ada').waitFor({ state: 'detached' });
  await seesScreen(cy, 'Bo');
  await ada.getByRole('button', { name: 'Share your screen' }).click();
  await seesScreen(cy, 'Ada');
  expect(open.flatMap(({ complaints }) => complaints)).toEqual([]);
});
