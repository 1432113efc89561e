import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Prepared, prepareRoom } from '../support/api.ts';
import { openBrowser, type Person } from '../support/browser.ts';
import { connectionStates, keepConnections } from '../support/connections.ts';
import { seesMoving } from '../support/pixels.ts';
import { discard, type Program, startProgram } from '../support/program.ts';
import { frameOf, joinFromPreview, meetingFrame } from '../support/staff.ts';

const remoteVideo = 'li.tile:not([data-own]) video';
const lost = 'Connection lost. Reconnecting…';
let program: Program;
let prepared: Prepared;
let staff: Person;
let guest: Person;

/** Of the two pages of staff, the meeting reconnects last: its WebSocket fails until then. */
function meetingComesBackLast(): void {
  if (window.top === window) return;
  window.WebSocket = class extends WebSocket {
    constructor(url: string | URL) {
      super(Reflect.get(window.top ?? window, 'holdMeeting') === true ? 'ws://127.0.0.1:9' : url);
    }
  };
}
const holdMeeting = ({ page }: Person, hold: boolean) =>
  page.evaluate((isHeld) => void Reflect.set(window, 'holdMeeting', isHeld), hold);

beforeAll(async () => {
  program = await startProgram();
  prepared = await prepareRoom(program.url, 'Restart');
  staff = await openBrowser({ camera: 'red' });
  guest = await openBrowser({ camera: 'blue', width: 640 });
  for (const { context } of [staff, guest]) {
    await context.addInitScript(meetingComesBackLast);
    await context.addInitScript(keepConnections);
  }
});
afterAll(async () => {
  await staff?.close();
  await guest?.close();
  if (program) await discard(program);
});

test('the server is killed during a call and restarts: the videos continue on their peer connections', {
  tags: 'full',
}, async () => {
  await prepared.user.signIn(staff);
  await staff.page.goto(`${program.url}/app/rooms/${prepared.roomId}/call`);
  await joinFromPreview(staff);
  await guest.page.goto(prepared.guestUrl);
  await guest.page.getByLabel('Your name').fill('Grace');
  await guest.page.getByRole('button', { name: 'Join', exact: true }).click();
  const frame = await frameOf(staff);
  await seesMoving(frame, remoteVideo, 'blue');
  await seesMoving(guest.page, remoteVideo, 'red');
  const before = [await connectionStates(frame), await connectionStates(guest.page)];
  for (const states of before) expect(states).toContain('connected');

  await holdMeeting(staff, true);
  await program.stop('SIGKILL');
  await guest.page.getByText(lost).first().waitFor();
  await seesMoving(guest.page, remoteVideo, 'red');
  program = await program.restart();
  await staff.page.getByText('You’re offline.').waitFor({ state: 'detached' });
  await guest.page.getByText(lost).first().waitFor({ state: 'detached' });
  await seesMoving(guest.page, remoteVideo, 'red');
  await seesMoving(frame, remoteVideo, 'blue');

  await holdMeeting(staff, false);
  await meetingFrame(staff).getByText(lost).first().waitFor({ state: 'detached' });
  await guest.page
    .locator('li.tile:not([data-own])')
    .getByText('Reconnecting…')
    .waitFor({ state: 'detached' });
  await seesMoving(guest.page, remoteVideo, 'red');
  await seesMoving(frame, remoteVideo, 'blue');
  expect([await connectionStates(frame), await connectionStates(guest.page)]).toEqual(before);
});
