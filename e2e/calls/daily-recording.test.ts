import { afterAll, beforeAll, expect, test } from 'vitest';
import { DailyStandIn } from '#server/testing/daily-stand-in.ts';
import { dailyEvent, signedDailyEvent } from '#server/testing/daily-webhook.ts';
import { prepareRoom } from '../support/api.ts';
import { axeViolations } from '../support/axe.ts';
import { openBrowser, type Person } from '../support/browser.ts';
import { discard, type Program, startProgram } from '../support/program.ts';

let daily: DailyStandIn;
let program: Program;
let ada: Person;
let bo: Person;
const patience = { timeout: 60_000 };

beforeAll(async () => {
  daily = await new DailyStandIn().open();
  program = await startProgram(daily.recordingSettings);
  ada = await openBrowser();
  bo = await openBrowser({ width: 390, height: 844, dark: true });
});
afterAll(async () => {
  await ada?.close();
  await bo?.close();
  if (program) await discard(program);
  await daily?.close();
});

const pageOf = ({ page }: Person) => page.frameLocator('iframe[title="Video call"]');
const recordedIn = (room: string) =>
  expect.poll(() => daily.recordings.running(room).length, patience);

test('a call is recorded while everyone agrees, and everyone sees whether it is', async () => {
  const { user, roomId, guestUrl } = await prepareRoom(program.url, 'Daily recorded');
  await user.send('PUT', `/api/rooms/${roomId}/capture-settings`, { recording: 'ask' });
  await user.signIn(ada);
  await ada.page.goto(`${program.url}/app/rooms/${roomId}/call`);
  await pageOf(ada).getByRole('button', { name: 'Join meeting' }).click();
  const [room = ''] = daily.rooms.keys();
  const present = [daily.tokensAsked.at(-1)?.user_id ?? ''];
  daily.recordings.present.set(room, present);

  await ada.page.getByRole('button', { name: 'Start recording' }).click();
  const question = ada.page.getByRole('region', { name: /record this call with you/ });
  await question.getByText('If you decline, nobody is recorded').waitFor();
  expect(await axeViolations(ada.page)).toEqual([]);
  await question.getByRole('button', { name: 'Agree', exact: true }).click();
  await recordedIn(room).toBe(1);
  const [running] = daily.recordings.running(room);
  const event = dailyEvent('recording.started', {
    ...{ recording_id: running?.id, instance_id: running?.instanceId },
    start_ts: running?.start_ts,
  });
  const { body, headers } = signedDailyEvent(daily.webhookSecret, event);
  await fetch(`${program.url}/api/webhooks/daily`, { method: 'POST', body, headers });
  await ada.page.getByText('This call is being recorded').waitFor();

  await bo.page.goto(guestUrl);
  await bo.page.getByLabel('Your name').fill('Bo');
  await bo.page.getByRole('button', { name: 'Join', exact: true }).click();
  await bo.page.getByText('If you decline, nobody is recorded').waitFor();
  expect(await axeViolations(bo.page)).toEqual([]);
  await bo.page.getByRole('button', { name: 'Don’t agree' }).click();
  await pageOf(bo).getByRole('button', { name: 'Join meeting' }).click();
  expect(daily.recordings.running(room)).toEqual([]);
  present.push(daily.tokensAsked.at(-1)?.user_id ?? '');
  for (const { page } of [ada, bo])
    await page.getByText('Nothing is recorded yet: 1 person hasn’t agreed.').waitFor();

  await bo.page.getByText('You didn’t agree').getByRole('button', { name: 'Agree' }).click();
  await recordedIn(room).toBe(1);
  await bo.page.getByRole('button', { name: 'Withdraw' }).click();
  await bo.page.getByRole('button', { name: 'Stop and delete it' }).click();
  await recordedIn(room).toBe(0);
  // The browser notes the request that was refused until they had answered.
  const unexpected = bo.complaints.filter((one) => !one.includes('/api/hosted-admissions'));
  expect([...ada.complaints, ...unexpected]).toEqual([]);
});
