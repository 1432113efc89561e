import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser, type Person } from './support/browser.ts';
import { seesMoving } from './support/pixels.ts';
import { discard, type Program, startProgram } from './support/program.ts';
import {
  endForEveryone,
  frameOf,
  joinFromPreview,
  makePlaybook,
  makeRoom,
  meetingFrame,
  signUp,
} from './support/staff.ts';

/** The other participant's video in the meeting page. */
const remoteVideo = 'li.tile:not([data-own]) video';

let program: Program;
let dropDatabase = async () => {};
let agent: Person;
let customer: Person;

beforeAll(async () => {
  program = await startProgram(await database());
  agent = await openBrowser({ camera: 'red' });
  customer = await openBrowser({ camera: 'blue', width: 390, height: 844 });
});
afterAll(async () => {
  await agent?.close();
  await customer?.close();
  if (program) await discard(program);
  await dropDatabase();
});

/** The embedded database, or one on TEST_DATABASE_URL's server for the duration of the test. */
async function database(): Promise<Record<string, string>> {
  const given = process.env.TEST_DATABASE_URL;
  if (!given) return {};
  const name = `rapport_story_${randomUUID().slice(0, 8)}`;
  const client = new pg.Client({ connectionString: given });
  await client.connect();
  await client.query(`create database ${name} template template0 encoding 'UTF8'`);
  dropDatabase = async () => {
    await client.query(`drop database ${name} with (force)`);
    await client.query(`drop role if exists ${name}_app`);
    await client.end();
  };
  const url = new URL(given);
  url.pathname = `/${name}`;
  return { DATABASE_URL: url.href };
}

test('an agent signs up, talks to a customer, follows the playbook, and sees it on the dashboard', async () => {
  const { page } = agent;
  await signUp(agent, program.url, {
    firstName: 'Ada',
    lastName: 'Lovelace',
    email: 'ada@acme.example',
    orgName: 'Acme Success',
  });
  await makePlaybook(agent, program.url, 'Onboarding', ['Greet', 'Agree on goals', 'Next date']);
  await makeRoom(agent, program.url, 'Kick-off with Globex', 'Onboarding');
  await joinFromPreview(agent);

  await page.getByRole('button', { name: 'Copy guest link' }).click();
  await page.getByText('Guest link copied', { exact: true }).waitFor();
  const guestUrl = await page.evaluate(() => navigator.clipboard.readText());
  expect(guestUrl).toContain(`${program.url}/join/`);

  await customer.page.goto(guestUrl);
  await customer.page.getByText('Acme Success').first().waitFor();
  await customer.page.getByLabel('Your name').fill('Grace Hopper');
  await customer.page.getByRole('button', { name: 'Join', exact: true }).click();
  await Promise.all([
    seesMoving(await frameOf(agent), remoteVideo, 'blue'),
    seesMoving(customer.page, remoteVideo, 'red'),
  ]);
  await meetingFrame(agent).getByText('Grace Hopper').first().waitFor();
  await customer.page.getByText('Ada Lovelace').first().waitFor();

  await page.getByRole('checkbox', { name: 'Greet' }).check();
  await page.getByRole('tab', { name: 'Notes' }).click();
  await page.getByRole('textbox', { name: 'Call notes' }).fill('Wants a pilot with two sites.');
  await page.getByText('Auto-saved').waitFor();

  await endForEveryone(page);
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Rate from 0 (not likely) to 10 (extremely likely)').waitFor();
  await expect.poll(() => dialog.getByRole('button', { name: 'Submit' }).isDisabled()).toBe(true);
  await dialog.getByRole('radio', { name: '9', exact: true }).click();
  await dialog.getByRole('button', { name: 'Submit' }).click();
  await page.waitForURL(`${program.url}/app`);
  await customer.page
    .getByText(/has ended/)
    .first()
    .waitFor();

  const row = page.getByRole('row', { name: /Kick-off with Globex/ });
  await row.getByText('Completed').waitFor();
  await row.getByText('9', { exact: true }).waitFor();
  const card = (title: string) =>
    page.getByRole('main').getByText(title, { exact: true }).locator('xpath=ancestor::*[2]');
  await expect.poll(() => card('Total Calls').textContent()).toContain('1');
  await expect.poll(() => card('Checklist Completion').textContent()).toContain('33%');
  await expect.poll(() => card('Avg NPS Score').textContent()).toContain('9');

  const calls = await page.evaluate(() => fetch('/api/calls').then((answer) => answer.json()));
  expect(calls).toMatchObject([
    {
      notesSnapshot: 'Wants a pilot with two sites.',
      npsScore: 9,
      participantsJson: [{ name: 'Ada Lovelace' }, { name: 'Grace Hopper' }],
      room: { topic: 'Kick-off with Globex' },
    },
  ]);
  // Before she signed up the page requested the current user, which browsers log as a failed
  // request.
  const unexpected = agent.complaints.filter((line) => !line.includes('/api/user'));
  expect(unexpected).toEqual([]);
  expect(customer.complaints).toEqual([]);
});
