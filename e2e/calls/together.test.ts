import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Prepared, prepareRoom } from '../support/api.ts';
import { openBrowser, type Person } from '../support/browser.ts';
import { openCutLine } from '../support/cut-line.ts';
import { discard, type Program, startProgram } from '../support/program.ts';

/** Two tabs of staff in one call: two participants, like two colleagues. */
let program: Program;
let one: Person;
let two: Person;
let prepared: Prepared;
let count = 0;

beforeAll(async () => {
  program = await startProgram();
  one = await openBrowser({ devices: 'none' });
  two = await openBrowser({ devices: 'none' });
});
afterAll(async () => {
  await one?.close();
  await two?.close();
  if (program) await discard(program);
});

beforeEach(async () => {
  count += 1;
  prepared = await prepareRoom(program.url, `Together ${count}`);
  for (const person of [one, two]) {
    await prepared.user.signIn(person);
    await person.page.goto(`${program.url}/app/rooms/${prepared.roomId}/call`);
    await item(person, 'Greet').waitFor();
  }
});

const item = ({ page }: Person, name: string) => page.getByRole('checkbox', { name });
const notes = async ({ page }: Person) => {
  await page.getByRole('tab', { name: 'Notes' }).click();
  return page.getByRole('textbox', { name: 'Call notes' });
};
const saved = ({ page }: Person) => page.getByText('Auto-saved').waitFor();
const stored = async () => {
  const [call] = await prepared.user.send<{ notesSnapshot: string; checklistStateJson: object }[]>(
    'GET',
    `/api/calls?roomId=${prepared.roomId}`,
  );
  return call;
};

test('a tick and a word of one page show on the other', async () => {
  await item(one, 'Greet').check();
  await expect.poll(() => item(two, 'Greet').isChecked()).toBe(true);
  await item(two, 'Greet').uncheck();
  await expect.poll(() => item(one, 'Greet').isChecked()).toBe(false);

  await (await notes(one)).fill('From one.');
  const other = await notes(two);
  await expect.poll(() => other.inputValue()).toBe('From one.');
});

test('both write simultaneously, and every word of both is kept', async () => {
  const [first, second] = [await notes(one), await notes(two)];
  await first.fill('Agenda:\n');
  await expect.poll(() => second.inputValue()).toBe('Agenda:\n');
  await Promise.all([
    first.pressSequentially('one writes at the end', { delay: 15 }),
    (async () => {
      await second.press('Control+Home');
      await second.pressSequentially('two writes at the start ', { delay: 15 });
    })(),
  ]);
  await saved(one);
  const whole = 'two writes at the start Agenda:\none writes at the end';
  await expect.poll(() => first.inputValue()).toBe(whole);
  await expect.poll(() => second.inputValue()).toBe(whole);
  await expect.poll(async () => (await stored())?.notesSnapshot).toBe(whole);
});

test('edits made offline are kept, sent on reconnecting, and merged', async () => {
  const line = await openCutLine(program.url);
  await one.page.goto(`${line.url}/app/rooms/${prepared.roomId}/call`);
  await item(one, 'Greet').waitFor();
  line.cut();
  await item(one, 'Greet').check();
  await item(two, 'Agree on goals').check();
  await (await notes(one)).fill('Typed in the dark. ');
  await one.page.getByText('You’re offline.').waitFor();
  await one.page.getByRole('tab', { name: 'Checklist' }).click();
  line.mend();
  await expect.poll(() => item(two, 'Greet').isChecked()).toBe(true);
  await expect.poll(() => item(one, 'Agree on goals').isChecked()).toBe(true);
  const other = await notes(two);
  await expect.poll(() => other.inputValue()).toBe('Typed in the dark. ');
  await line.close();
});

test('a reload in the middle of a word loses nothing', async () => {
  const field = await notes(one);
  await field.pressSequentially('not yet acknowledged');
  await one.page.reload();
  const again = await notes(one);
  await expect.poll(() => again.inputValue()).toBe('not yet acknowledged');
  const other = await notes(two);
  await expect.poll(() => other.inputValue()).toBe('not yet acknowledged');
});

test('the server is killed and restarts: the call continues with all its contents', async () => {
  await item(one, 'Greet').check();
  await (await notes(one)).fill('Before. ');
  await saved(one);
  await program.stop('SIGKILL');
  await (await notes(one)).press('Control+End');
  await (await notes(one)).pressSequentially('While it was away. ');
  program = await program.restart();
  const other = await notes(two);
  const whole = 'Before. While it was away. ';
  await expect.poll(() => other.inputValue()).toBe(whole);
  await expect.poll(async () => (await stored())?.notesSnapshot).toBe(whole);
  expect(Object.values((await stored())?.checklistStateJson ?? {})).toContain(true);
});
