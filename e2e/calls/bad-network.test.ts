import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Prepared, prepareRoom } from '../support/api.ts';
import { type BadNetwork, openBadNetwork } from '../support/bad-network.ts';
import { openBrowser, type Person } from '../support/browser.ts';
import {
  arrivedPackets,
  relayOnly,
  restartPaths,
  signalingStates,
} from '../support/connections.ts';
import { holdSignals, letSignalsGo, signalsWait } from '../support/held-signals.ts';
import { mayMakeNamespaces } from '../support/namespaces.ts';
import { seesMoving } from '../support/pixels.ts';
import { discard, type Program, startProgram } from '../support/program.ts';
import { hasTurnServer, startTurnServer, type TurnServer } from '../support/turn-server.ts';

/** Two participants whose only connection is a TURN server behind a network that the test degrades. */
const remoteVideo = 'li.tile:not([data-own]) video';
const secret = 'the secret of the TURN server';
let turn: TurnServer;
let network: BadNetwork;
let program: Program;
let prepared: Prepared;
let ada: Person;
let bo: Person;

async function join(name: string, camera: 'red' | 'blue'): Promise<Person> {
  const person = await openBrowser({ camera, width: 900, height: 640 });
  await person.page.addInitScript(relayOnly);
  await person.page.addInitScript(signalsWait);
  await person.page.goto(prepared.guestUrl);
  await person.page.getByLabel('Your name').fill(name);
  await person.page.getByRole('button', { name: 'Join', exact: true }).click();
  await person.page.getByRole('button', { name: 'Leave' }).waitFor();
  return person;
}

const tileOf = ({ page }: Person, name: string) => page.locator('li.tile', { hasText: name });

describe.skipIf(!hasTurnServer())('on a bad network', () => {
  beforeAll(async () => {
    turn = await startTurnServer(secret);
    network = await openBadNetwork(turn.urls.udp);
    program = await startProgram({ TURN_URL: network.turnUrl, TURN_SECRET: secret });
    prepared = await prepareRoom(program.url, 'Bad network');
    ada = await join('Ada', 'red');
    bo = await join('Bo', 'blue');
  });
  afterAll(async () => {
    await ada?.close();
    await bo?.close();
    if (program) await discard(program);
    network?.close();
    await turn?.stop();
  });
  beforeEach(async () => {
    await seesMoving(ada.page, remoteVideo, 'blue');
    await seesMoving(bo.page, remoteVideo, 'red');
  });

  // On a machine with network namespaces, namespaces.test.ts tests the same on a real network.
  if (!mayMakeNamespaces())
    test('video yields to audio, both sides see why, and it recovers', async () => {
      network.be({ kbitsPerSecond: 48 });
      // Either may show first, and disappears again while a smaller video is tried.
      await Promise.all([
        ada.page
          .getByText(/^Your connection is weak, so we’ve paused your video/)
          .waitFor({ timeout: 60_000 }),
        tileOf(bo, 'Ada').getByText('Ada’s video is paused').waitFor({ timeout: 60_000 }),
      ]);
      const before = await arrivedPackets(bo.page, 'audio');
      await expect.poll(() => arrivedPackets(bo.page, 'audio')).toBeGreaterThan(before + 20);
      network.be({});
      await seesMoving(bo.page, remoteVideo, 'red');
      await expect
        .poll(() => ada.page.getByText(/^Your connection is/).count(), { timeout: 60_000 })
        .toBe(0);
    });

  test('a cut connection shows as reconnecting, and the video moves again afterwards', async () => {
    network.cut();
    await tileOf(bo, 'Ada').getByText('Reconnecting…').waitFor();
    network.mend();
    await seesMoving(bo.page, remoteVideo, 'red');
    await expect.poll(() => tileOf(bo, 'Ada').getByText('Reconnecting…').count()).toBe(0);
  });

  test('both sides restart ICE simultaneously: their offers cross, and the videos continue', async () => {
    const pages = [ada.page, bo.page];
    for (const page of pages) {
      await holdSignals(page);
      await restartPaths(page);
    }
    for (const page of pages)
      await expect.poll(() => signalingStates(page)).toEqual(['have-local-offer']);
    await Promise.all(pages.map(letSignalsGo));
    for (const page of pages) await expect.poll(() => signalingStates(page)).toEqual(['stable']);
    await seesMoving(ada.page, remoteVideo, 'blue');
    await seesMoving(bo.page, remoteVideo, 'red');
  });
});
