import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '#server/testing/free-port.ts';
import { MailSink } from '../../scripts/replay/mail-sink.ts';
import { openBrowser, type Person } from '../support/browser.ts';
import { ownerLogin } from '../support/own-database.ts';
import { discard, type Program, startProgram } from '../support/program.ts';
import { endForEveryone, joinFromPreview, meetingFrame, signUp } from '../support/staff.ts';

let program: Program;
let mails: MailSink;
let database: pg.Client;
let ada: Person;
let ben: Person;
let customer: Person;

beforeAll(async () => {
  mails = new MailSink();
  const port = await freePort();
  const env = { SMTP_URL: await mails.listen(), PUBLIC_URL: `http://localhost:${port}` };
  program = await startProgram(env, undefined, port);
  database = new pg.Client(ownerLogin(program.dataDir));
  await database.connect();
  [ada, ben, customer] = await Promise.all([openBrowser(), openBrowser(), openBrowser()]);
});
afterAll(async () => {
  await Promise.all([ada, ben, customer].map((person) => person?.close()));
  await database?.end();
  if (program) await discard(program);
  await mails?.close();
});

const step = (name: string, isDone: boolean) =>
  ada.page.getByRole('listitem').filter({ hasText: `${isDone ? 'Done:' : 'To do:'}${name}` });
const toDashboard = () => ada.page.goto(`${program.url}/app`);

/** The figures of the pages, computed from the calls, attendances, ratings, and ticks themselves. */
async function figures() {
  const { rows } = await database.query<{
    calls: number;
    minutes: number | null;
    checked: number | null;
    score: number | null;
    promoters: number;
    passives: number;
    detractors: number;
  }>(
    `with ended as (
        select c.id, c.duration_sec, (select g.score from ratings g
          where g.call_id = c.id and g.kind = 'staff' order by g.updated_at desc limit 1) as score,
          exists (select from attendances t where t.call_id = c.id and t.kind = 'guest') as has_guest
        from calls c where c.ended_at is not null
      )
      select count(*)::int as calls,
        avg(duration_sec) filter (where has_guest)::float / 60 as minutes,
        (select 100 * count(i.checked_at)::float / nullif(count(*), 0) from call_checklist_items i
          join ended e on e.id = i.call_id and e.has_guest) as checked,
        avg(score) filter (where has_guest)::float as score,
        count(*) filter (where has_guest and score >= 9)::int as promoters,
        count(*) filter (where has_guest and score between 7 and 8)::int as passives,
        count(*) filter (where has_guest and score <= 6)::int as detractors
      from ended`,
  );
  const [row] = rows;
  if (!row) throw new Error('An aggregate has one row.');
  return row;
}

/** Compares every number of the dashboard or of analytics with the rows. */
async function expectFigures(): Promise<void> {
  const { calls, minutes, checked, score } = await figures();
  const card = (title: string) =>
    ada.page
      .getByRole('main')
      .getByText(title, { exact: true })
      .first()
      .locator('xpath=ancestor::*[2]');
  const oneDecimal = (value: number | null) =>
    value === null ? '-' : String(Math.round(value * 10) / 10);
  await expect.poll(() => card('Total Calls').textContent()).toContain(String(calls));
  await expect.poll(() => card('Avg Duration').textContent()).toContain(oneDecimal(minutes));
  const percent = checked === null ? '-' : `${Math.round(checked)}%`;
  await expect.poll(() => card('Checklist Completion').textContent()).toContain(percent);
  await expect.poll(() => card('Avg NPS Score').textContent()).toContain(oneDecimal(score));
}

async function expectInsights(): Promise<void> {
  const { promoters, passives, detractors } = await figures();
  const card = ada.page
    .locator('section')
    .filter({ has: ada.page.getByRole('heading', { name: 'Customer Insights' }) });
  await card.getByRole('button', { name: 'Show as table' }).click();
  const counts = { Promoters: promoters, Passives: passives, Detractors: detractors };
  for (const [name, count] of Object.entries(counts)) {
    const row = card.getByRole('row', { name: new RegExp(`^${name}`) });
    await row.getByRole('cell', { name: String(count), exact: true }).waitFor();
  }
}

async function endCall(score: string): Promise<void> {
  const { page } = ada;
  await endForEveryone(page);
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: score, exact: true }).click();
  await dialog.getByRole('button', { name: 'Submit' }).click();
  await page.waitForURL(`${program.url}/app`);
}

async function knock(guestUrl: string, name: string): Promise<void> {
  const { page } = customer;
  await page.goto(guestUrl);
  await page.getByLabel('Your name').fill(name);
  await page.getByRole('button', { name: /^(Join|Ask to join)$/ }).click();
}

let guestUrl: string;

test('the checklist of a new organization ticks itself', async () => {
  const { page } = ada;
  const address = 'ada@acme.example';
  const names = { firstName: 'Ada', lastName: 'Lovelace', orgName: 'Acme Success' };
  await signUp(ada, program.url, { ...names, email: address });
  await page.goto(`${program.url}/verify-email/${await mails.token(address, 'verify-email')}`);
  await page.waitForURL(`${program.url}/app`);
  await page.getByText('0 of 6 steps done').waitFor();
  await expectFigures();

  await page.getByRole('button', { name: 'Choose a template' }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Use this template/ })
    .first()
    .click();
  await step('Choose a playbook', true).waitFor();

  await step('Create a room', false).getByRole('button', { name: 'Create Room' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Room Topic').fill('Kick-off with Globex');
  await dialog.getByLabel('Playbook').selectOption({ index: 1 });
  await dialog.getByRole('button', { name: 'Create', exact: true }).click();
  await step('Create a room', true).waitFor();

  await page.getByRole('link', { name: 'Test devices' }).click();
  await page.getByText('Camera works.').waitFor();
  await page.getByRole('button', { name: 'Done' }).click();
  await step('Test your devices', true).waitFor();

  await step('Copy the link', false).getByRole('button').click();
  await step('Copy the link', true).waitFor();
  guestUrl = await page.evaluate(() => navigator.clipboard.readText());

  await page.getByRole('link', { name: 'Invite', exact: true }).click();
  await page.getByRole('dialog').getByLabel('Email').fill('ben@acme.example');
  await page.getByRole('dialog').getByRole('button', { name: 'Send Invitation' }).click();
  await page.getByText('Invitation sent successfully', { exact: true }).first().waitFor();
});

test('a teammate accepts the mailed invitation, signs in, and is in the app', async () => {
  const { page } = ben;
  const token = await mails.token('ben@acme.example', 'invite');
  await page.goto(`${program.url}/invite/${token}`);
  await page.getByLabel('First Name').fill('Ben');
  await page.getByLabel('Last Name').fill('Bitdiddle');
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery');
  await page.getByRole('button', { name: 'Accept Invitation' }).click();
  await page.waitForURL(/\/auth\?next=/);
  await page.getByRole('tab', { name: 'Sign In' }).waitFor();
  await expect.poll(() => page.getByLabel('Email').inputValue()).toBe('ben@acme.example');
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery');
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await page.waitForURL(`${program.url}/app`);
});

test('the first call completes the checklist, and its numbers are those of its rows', async () => {
  const { page } = ada;
  await toDashboard();
  await step('Hold your first call', false).getByRole('link').click();
  await joinFromPreview(ada);
  await knock(guestUrl, 'Grace Hopper');
  await meetingFrame(ada).getByText('Grace Hopper').first().waitFor();
  await page.getByRole('checkbox').first().check();
  await endCall('9');
  await expectFigures();
  await page.getByText('You’re all set').waitFor();
  await page.goto(`${program.url}/app/analytics`);
  await expectFigures();
  await expectInsights();
});

test('a guest who waits is admitted from Analytics, and the second call counts, too', {
  tags: 'full',
}, async () => {
  const { page } = ada;
  const [room] = await page.evaluate(() => fetch('/api/rooms').then((answer) => answer.json()));
  const lobby = await ada.context.request.patch(`${program.url}/api/rooms/${room.id}`, {
    data: { lobby: true },
  });
  expect(lobby.ok()).toBe(true);
  await knock(guestUrl, 'Samuel Ortiz');
  const waiting = page.getByRole('region', { name: 'Waiting guests' });
  await waiting.getByText('Samuel Ortiz is waiting').waitFor();
  expect(await page.title()).toMatch(/^\(1\)/);
  await ben.page.goto(`${program.url}/app/rooms`);
  await ben.page.getByText('1 waiting').waitFor();
  expect(await ben.page.getByRole('region', { name: 'Waiting guests' }).count()).toBe(0);

  await waiting.getByRole('button', { name: 'Admit Samuel Ortiz' }).click();
  await waiting.waitFor({ state: 'detached' });
  await page.goto(`${program.url}/app/rooms/${room.id}/call`);
  await joinFromPreview(ada);
  await meetingFrame(ada).getByText('Samuel Ortiz').first().waitFor();
  await endCall('7');
  await expectFigures();
  await page.goto(`${program.url}/app/analytics`);
  await expectFigures();
  await expectInsights();
  const { calls, promoters, passives } = await figures();
  expect([calls, promoters, passives]).toEqual([2, 1, 1]);
});

test('no page complained', () => {
  // Before they signed up the pages requested the current user, which browsers log as a failed request.
  const unexpected = [ada, ben, customer].flatMap(({ complaints }) =>
    complaints.filter((line) => !line.includes('/api/user')),
  );
  expect(unexpected).toEqual([]);
});
