import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Prepared, prepareRoom } from '../support/api.ts';
import { openBrowser, type Person } from '../support/browser.ts';
import { openCutLine } from '../support/cut-line.ts';
import { seesMoving } from '../support/pixels.ts';
import { discard, type Program, startProgram } from '../support/program.ts';

/** What a customer sees whose network is lost, and what the others see. */
const remoteVideo = 'li.tile:not([data-own]) video';
let program: Program;
let prepared: Prepared;
const open: Person[] = [];

async function join(url: string, name: string, camera: 'red' | 'blue'): Promise<Person> {
  const person = await openBrowser({ camera, width: 640 });
  open.push(person);
  await person.page.goto(url);
  await person.page.getByLabel('Your name').fill(name);
  await person.page.getByRole('button', { name: 'Join', exact: true }).click();
  return person;
}

beforeAll(async () => {
  program = await startProgram();
  prepared = await prepareRoom(program.url, 'Network');
});
afterAll(async () => {
  await Promise.all(open.map((person) => person.close()));
  if (program) await discard(program);
});

test('a lost line to the server is told at once, the call goes on, and so is its return', async () => {
  const line = await openCutLine(program.url);
  const ada = await join(prepared.guestUrl.replace(program.url, line.url), 'Ada', 'red');
  const bo = await join(prepared.guestUrl, 'Bo', 'blue');
  await seesMoving(ada.page, remoteVideo, 'blue');
  line.cut();
  await ada.page.getByText('You lost the connection. Reconnecting…').waitFor();
  await bo.page.locator('li.tile', { hasText: 'Ada' }).getByText('Reconnecting…').waitFor();
  await seesMoving(bo.page, remoteVideo, 'red');
  line.mend();
  await ada.page.getByText('You are back').waitFor();
  await seesMoving(ada.page, remoteVideo, 'blue');
  await expect.poll(() => bo.page.getByText('Reconnecting…').count()).toBe(0);
  await line.close();
});
