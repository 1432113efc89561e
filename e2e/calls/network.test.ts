import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Prepared, prepareRoom } from '../support/api.ts';
import { openBrowser, type Person } from '../support/browser.ts';
import { openCutLine } from '../support/cut-line.ts';
import { seesMoving } from '../support/pixels.ts';
import { sharedProgram } from '../support/shared-program.ts';

/** A participant whose network is lost, and the others in the call. */
const remoteVideo = 'li.tile:not([data-own]) video';
const program = sharedProgram();
let prepared: Prepared;
const open: Person[] = [];
let count = 0;

async function join(url: string, name: string, camera: 'red' | 'blue'): Promise<Person> {
  const person = await openBrowser({ camera, width: 640 });
  await enter(person, url, name);
  return person;
}

async function enter(person: Person, url: string, name: string): Promise<void> {
  open.push(person);
  await person.page.goto(url);
  await person.page.getByLabel('Your name').fill(name);
  await person.page.getByRole('button', { name: 'Join', exact: true }).click();
}

beforeEach(async () => {
  count += 1;
  prepared = await prepareRoom(program.url, `Network ${count}`);
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((person) => person.close()));
});

test('a lost socket and its return show immediately, and the call continues', {
  tags: 'full',
}, async () => {
  const line = await openCutLine(program.url);
  const ada = await join(prepared.guestUrl.replace(program.url, line.url), 'Ada', 'red');
  const bo = await join(prepared.guestUrl, 'Bo', 'blue');
  await seesMoving(ada.page, remoteVideo, 'blue');
  line.cut();
  await ada.page.getByText('Connection lost. Reconnecting…').waitFor();
  await bo.page.locator('li.tile', { hasText: 'Ada' }).getByText('Reconnecting…').waitFor();
  await seesMoving(bo.page, remoteVideo, 'red');
  line.mend();
  await ada.page.getByText('You’re back').waitFor();
  await seesMoving(ada.page, remoteVideo, 'blue');
  await expect.poll(() => bo.page.getByText('Reconnecting…').count()).toBe(0);
  await line.close();
});

test('while the code that judges the network loads slowly, the video is paused', {
  tags: 'full',
}, async () => {
  const ada = await openBrowser({ camera: 'red', width: 640 });
  const { promise: comes, resolve: come } = Promise.withResolvers<void>();
  await ada.page.route('**/assets/network-watch-*', async (route) => {
    await comes;
    await route.continue();
  });
  await enter(ada, prepared.guestUrl, 'Ada');
  const bo = await openBrowser({ camera: 'blue', width: 640 });
  await enter(bo, prepared.guestUrl, 'Bo');
  await seesMoving(bo.page, remoteVideo, 'red');
  const isPaused = bo.page.getByText('Ada’s video is paused');
  await isPaused.waitFor();
  await seesMoving(ada.page, remoteVideo, 'blue');
  come();
  await isPaused.waitFor({ state: 'detached' });
  await seesMoving(bo.page, remoteVideo, 'red');
});
