import type { Frame } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { prepareRoom } from '../support/api.ts';
import { openBrowser, type Person } from '../support/browser.ts';
import { sharedProgram } from '../support/shared-program.ts';
import { frameOf } from '../support/staff.ts';

type Shown = Person['page'] | Frame;

const program = sharedProgram();
let person: Person;

beforeAll(async () => {
  await prepareRoom(program.url, 'Keyboard');
  person = await openBrowser();
});
afterAll(() => person?.close());

/** Returns the accessible name of the focused element, and whether its outline shows. */
const focused = (shown: Shown) =>
  shown.evaluate(() => {
    const element = document.activeElement;
    // The focus within a frame shows there.
    if (!element || element.matches('body, iframe')) return { name: '', seen: true };
    const labels = 'labels' in element && element.labels instanceof NodeList ? element.labels : [];
    const label = element.getAttribute('aria-label') ?? labels[0]?.textContent;
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    const seen = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2;
    return { name: (label ?? element.textContent ?? '').trim(), seen };
  });

/** Presses Tab until `name` has the focus. Every element on the way must show its focus. */
async function tabTo(name: string, shown: Shown = person.page): Promise<void> {
  const passed: string[] = [];
  for (let press = 0; press < 60; press += 1) {
    await person.page.keyboard.press('Tab');
    const found = await focused(shown);
    expect(found.seen, `the focus is seen on “${found.name}”`).toBe(true);
    if (found.name === name) return;
    passed.push(found.name);
  }
  throw new Error(`Tab does not lead to ${name}, but to ${[...new Set(passed)].join(' / ')}`);
}

test('by keyboard alone: sign in, create a room, call, leave and score', async () => {
  const { page } = person;
  await page.goto(`${program.url}/auth?next=/app`);
  await page.getByLabel('Email').waitFor();
  await tabTo('Email');
  await page.keyboard.type('keyboard@acme.example');
  await tabTo('Password');
  await page.keyboard.type('correct horse');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor();

  await page.reload();
  await page.getByRole('button', { name: 'Create Room' }).waitFor();
  await tabTo('Skip to content');
  await page.keyboard.press('Enter');
  await tabTo('Create Room');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Create Room' }).waitFor();
  expect((await focused(page)).name).toBe('Room Topic');
  await page.keyboard.type('By keyboard');
  await tabTo('Create & Join');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/call$/);

  const frame = await frameOf(person);
  await frame.getByRole('button', { name: 'Join', exact: true }).waitFor();
  await expect.poll(async () => (await focused(frame)).name).toBe('Join');
  await page.keyboard.press('Enter');
  await frame.getByRole('button', { name: 'Chat' }).waitFor();
  await tabTo('Leave Call');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'How did the call go?' }).waitFor();
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowRight');
  await tabTo('Submit');
  await page.keyboard.press('Enter');
  await page.getByText('Thank you for your feedback!', { exact: true }).waitFor();
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
});

test('the drawer keeps the focus, and returns it to its button', async () => {
  const { page } = person;
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${program.url}/app/rooms`);
  await page.getByRole('button', { name: 'Open menu' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Close menu' }).waitFor();
  for (let press = 0; press < 14; press += 1) {
    await page.keyboard.press('Tab');
    const outside = await page.evaluate(() => {
      const { activeElement, body } = document;
      return activeElement !== body && !activeElement?.closest('dialog');
    });
    expect(outside, 'the focus is behind the drawer').toBe(false);
  }
  await page.getByRole('button', { name: 'Close menu' }).focus();
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await focused(page)).name).toBe('Open menu');
});
