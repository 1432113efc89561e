import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { inFullRun } from '#server/testing/full-run.ts';
import { type Prepared, prepareRoom } from '../support/api.ts';
import { openBrowser, type Person } from '../support/browser.ts';
import { seesMoving } from '../support/pixels.ts';
import { sharedProgram } from '../support/shared-program.ts';
import { frameOf, joinFromPreview, meetingFrame } from '../support/staff.ts';
import { hasToxiproxy, openToxicLine, type Toxic, type ToxicLine } from '../support/toxiproxy.ts';

/** Ada’s WebSocket fails in the ways of TCP; Bo’s stays good, and so does the peer connection. */
const remoteVideo = 'li.tile:not([data-own]) video';
const program = sharedProgram();
let prepared: Prepared;
let line: ToxicLine;
let ada: Person;
let bo: Person;
let typed = '';

const notes = () => ada.page.getByRole('textbox', { name: 'Call notes' });
const adaAtBo = () => bo.page.locator('li.tile', { hasText: 'Ada' });
const type = async (words: string) => {
  typed += words;
  await notes().press('Control+End');
  await notes().pressSequentially(words);
};
const stored = async () => {
  const path = `/api/calls?roomId=${prepared.roomId}`;
  const [call] = await prepared.user.send<{ notesSnapshot: string }[]>('GET', path);
  return call?.notesSnapshot;
};
const isWell = async () => {
  await meetingFrame(ada).getByText('Connection lost.').waitFor({ state: 'detached' });
  await adaAtBo().getByText('Reconnecting…').waitFor({ state: 'detached' });
  await seesMoving(await frameOf(ada), remoteVideo, 'blue');
  await seesMoving(bo.page, remoteVideo, 'red');
};

describe.skipIf(!hasToxiproxy())('on a bad connection to the server', () => {
  beforeAll(async () => {
    line = await openToxicLine(program.url);
    prepared = await prepareRoom(program.url, 'Bad line');
    ada = await openBrowser({ camera: 'red' });
    bo = await openBrowser({ camera: 'blue', width: 640 });
    await prepared.user.signIn(ada);
    await ada.page.goto(`${line.url}/app/rooms/${prepared.roomId}/call`);
    await joinFromPreview(ada);
    await ada.page.getByRole('tab', { name: 'Notes' }).click();
    await bo.page.goto(prepared.guestUrl);
    await bo.page.getByLabel('Your name').fill('Bo');
    await bo.page.getByRole('button', { name: 'Join', exact: true }).click();
  });
  afterAll(async () => {
    await ada?.close();
    await bo?.close();
    await line?.close();
  });
  beforeEach(isWell);

  test.for<[string, Toxic]>([
    ['that falls silent', { type: 'timeout', attributes: { timeout: 0 } }],
    ...inFullRun<[string, Toxic][]>(
      [
        ['that is closed without a word', { type: 'timeout', attributes: { timeout: 500 } }],
        ['that is reset', { type: 'reset_peer', attributes: { timeout: 0 } }],
      ],
      [],
    ),
  ])(
    'a socket %s: a notice shows, the videos keep moving, and nothing typed is lost',
    async ([, toxic]) => {
      await line.poison(toxic);
      await meetingFrame(ada).getByText('Connection lost. Reconnecting…').waitFor();
      await type(`While ${toxic.type}. `);
      await seesMoving(await frameOf(ada), remoteVideo, 'blue');
      await seesMoving(bo.page, remoteVideo, 'red');
      await line.heal();
      await isWell();
      await expect.poll(stored).toBe(typed);
      expect(await bo.page.locator('li.tile').count()).toBe(2);
    },
  );

  test('answers that take two seconds are late, not lost: a lost connection is not shown for long', async () => {
    await line.poison({ type: 'latency', attributes: { latency: 1000, jitter: 200 } });
    await type('Slowly. ');
    await isWell();
    await expect.poll(stored).toBe(typed);
    await line.heal();
  });

  test('reconnecting does not wait for a socket that closes slowly', async () => {
    await line.poison({ type: 'slow_close', attributes: { delay: 10_000 } });
    await line.enable(false);
    await meetingFrame(ada).getByText('Connection lost. Reconnecting…').waitFor();
    await type('Shut. ');
    await line.enable(true);
    await isWell();
    await expect.poll(stored).toBe(typed);
    await line.heal();
  });
});
