import type { Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Prepared, prepareRoom } from '../support/api.ts';
import { axeViolations } from '../support/axe.ts';
import { openBrowser, type Person } from '../support/browser.ts';
import { seesMoving } from '../support/pixels.ts';
import { sharedProgram } from '../support/shared-program.ts';
import { frameOf, joinFromPreview } from '../support/staff.ts';

const program = sharedProgram();
let prepared: Prepared;
const open: Person[] = [];
beforeAll(async () => {
  prepared = await prepareRoom(program.url, 'Floating');
});
afterAll(() => Promise.all(open.map((person) => person.close())));

const button = (where: Page | Frame, name: string) =>
  where.getByRole('button', { name, exact: true });

async function somebody(camera: 'red' | 'blue'): Promise<Person> {
  const person = await openBrowser({ camera, width: 900, height: 640, windows: true });
  open.push(person);
  return person;
}

/** Returns the window that a click in the call opens. */
async function floatFrom(person: Person, call: Page | Frame): Promise<Page> {
  await button(call, 'Layout').click();
  const [opened] = await Promise.all([
    person.context.waitForEvent('page'),
    button(call, 'Picture-in-picture').click(),
  ]);
  return opened;
}

test('the call floats over other windows, with microphone, camera and leave buttons, and returns', {
  tags: 'full',
}, async () => {
  const [ada, bo] = [await somebody('red'), await somebody('blue')];
  for (const [{ page }, name] of [
    [ada, 'Ada'],
    [bo, 'Bo'],
  ] as const) {
    await page.goto(prepared.guestUrl);
    await page.getByLabel('Your name').fill(name);
    await button(page, 'Join').click();
    await page.locator('.tile[data-own]').waitFor();
  }
  await seesMoving(ada.page, 'li.tile:not([data-own]) video', 'blue');
  const float = await floatFrom(ada, ada.page);
  await seesMoving(float, '.float-large video', 'blue');
  expect(await axeViolations(float, 'whole page')).toEqual([]);

  await button(float, 'Mute microphone').click();
  await button(float, 'Unmute microphone').waitFor();
  await bo.page.getByRole('img', { name: 'muted' }).waitFor();
  await button(float, 'Turn camera off').click();
  await float.locator('.float-own').waitFor({ state: 'detached' });
  await button(bo.page, 'Turn camera off').click();
  await float.locator('.float-large video').waitFor({ state: 'detached' });
  await button(bo.page, 'Turn camera on').click();
  await seesMoving(float, '.float-large video', 'blue');

  const closed = float.waitForEvent('close');
  // The window may close before Playwright has seen the click's end.
  await button(float, 'Back to the call').dispatchEvent('click');
  await closed;
  await button(ada.page, 'Layout').click();
  await button(ada.page, 'Picture-in-picture').waitFor();
  await ada.page.keyboard.press('Escape');
  await seesMoving(ada.page, 'li.tile:not([data-own]) video', 'blue');

  const again = await floatFrom(ada, ada.page);
  const gone = again.waitForEvent('close');
  await button(again, 'Leave').click();
  await gone;
  await ada.page.getByRole('heading', { name: 'You left the call' }).waitFor();
  expect(open.flatMap(({ complaints }) => complaints)).toEqual([]);
});

test('the call also floats from its frame in the dashboard, and its window closes with the page', {
  tags: 'full',
}, async () => {
  const [agent, bo] = [await somebody('red'), await somebody('blue')];
  await prepared.user.signIn(agent);
  await bo.page.goto(prepared.guestUrl);
  await bo.page.getByLabel('Your name').fill('Bo');
  await button(bo.page, 'Join').click();
  await agent.page.goto(`${program.url}/app/rooms/${prepared.roomId}/call`);
  await joinFromPreview(agent);
  const frame = await frameOf(agent);
  await seesMoving(frame, 'li.tile:not([data-own]) video', 'blue');
  const float = await floatFrom(agent, frame);
  await seesMoving(float, '.float-large video', 'blue');
  await button(float, 'Mute microphone').click();
  await button(frame, 'Unmute microphone').waitFor();
  const closed = float.waitForEvent('close');
  await agent.page.reload();
  await closed;
  expect([agent, bo].flatMap(({ complaints }) => complaints)).toEqual([]);
});
