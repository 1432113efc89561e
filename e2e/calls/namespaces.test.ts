import type { Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { freePort } from '#server/testing/free-port.ts';
import { type Prepared, prepareRoom } from '../support/api.ts';
import { openBrowser, type Person } from '../support/browser.ts';
import { arrivedPackets, keepConnections, relayProtocols } from '../support/connections.ts';
import { type Lan, mayMakeNamespaces, openLan } from '../support/namespaces.ts';
import { seesMoving } from '../support/pixels.ts';
import { discard, type Program, startProgram } from '../support/program.ts';
import { frameOf, joinFromPreview, meetingFrame } from '../support/staff.ts';
import { hasTurnServer, startTurnServer, type TurnServer } from '../support/turn-server.ts';

/** Ada, a member, and Bo, a guest, each in a network namespace with one cable, which the test degrades. */
const remoteVideo = 'li.tile:not([data-own]) video';
const secret = 'the secret of the TURN server';
/** How long the network is gone: as in a railway tunnel. */
const outageMs = 10_000;
let lan: Lan;
let turn: TurnServer;
let program: Program;
let prepared: Prepared;
let ada: Person;
let bo: Person;

async function open(): Promise<void> {
  lan = openLan();
  turn = await startTurnServer(secret, lan.address);
  const port = await freePort();
  const origin = `http://${lan.address}:${port}`;
  const env = { HOST: '0.0.0.0', PUBLIC_URL: origin, TURN_URL: turn.urls.tcp, TURN_SECRET: secret };
  program = await startProgram(env, undefined, port);
  prepared = await prepareRoom(origin, 'Bad network');
  const [here, there] = lan.places;
  ada = await openBrowser({ camera: 'red', place: { browser: here.browser, origin } });
  bo = await openBrowser({ camera: 'blue', width: 640, place: { browser: there.browser, origin } });
  for (const { context } of [ada, bo]) await context.addInitScript(keepConnections);
  await prepared.user.signIn(ada);
  await ada.page.goto(`${origin}/app/rooms/${prepared.roomId}/call`);
  await joinFromPreview(ada);
  await bo.page.goto(prepared.guestUrl);
  await bo.page.getByLabel('Your name').fill('Bo');
  await bo.page.getByRole('button', { name: 'Join', exact: true }).click();
}

const adaAtBo = () => bo.page.locator('li.tile', { hasText: 'Ada' });
const item = (name: string) => ada.page.getByRole('checkbox', { name });
const pausedNotice = () =>
  meetingFrame(ada).getByText(/^Your connection is weak, so we’ve paused your video/);
const bothMove = async () => {
  await seesMoving(await frameOf(ada), remoteVideo, 'blue');
  await seesMoving(bo.page, remoteVideo, 'red');
};
const bothConnected = async () => {
  for (const tile of [adaAtBo(), meetingFrame(ada).locator('li.tile', { hasText: 'Bo' })])
    await tile
      .getByText(/Reconnecting…|Connecting…/)
      .waitFor({ state: 'detached', timeout: 60_000 });
};
/** The code that judges the network loads some seconds into a call (docs/network.md). */
const isJudged = (where: Page | Frame) =>
  where.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .some(
        (one) =>
          one.name.includes('/network-watch-') &&
          'responseStatus' in one &&
          one.responseStatus === 200,
      ),
  );
const stored = async () => {
  const path = `/api/calls?roomId=${prepared.roomId}`;
  const [call] = await prepared.user.send<
    { id: string; notesSnapshot: string; checklistStateJson: Record<string, boolean> }[]
  >('GET', path);
  return call;
};

describe.skipIf(!mayMakeNamespaces() || !hasTurnServer())(
  'in separate network namespaces',
  { tags: 'full' },
  () => {
    beforeAll(open);
    afterAll(async () => {
      try {
        await Promise.all([ada?.close(), bo?.close()]);
        if (program) await discard(program);
        await turn?.stop();
      } finally {
        lan?.close();
      }
    });
    beforeEach(bothMove);

    test('ten seconds without a cable: both sides see a notice, no participant appears twice, and nothing is lost', async () => {
      await expect.poll(() => relayProtocols(bo.page)).toEqual(['host']);
      await meetingFrame(ada).getByRole('button', { name: 'Mute microphone' }).click();
      const [cable] = lan.places;
      cable.unplug();
      const mendedAt = performance.now() + outageMs;
      await meetingFrame(ada).getByText('Connection lost. Reconnecting…').waitFor();
      await adaAtBo().getByText('Reconnecting…').waitFor();
      await item('Greet').check();
      await ada.page.getByRole('tab', { name: 'Notes' }).click();
      await ada.page.getByRole('textbox', { name: 'Call notes' }).fill('From the train. ');
      const id = (await stored())?.id ?? '';
      await prepared.user.send('PUT', `/api/calls/${id}`, { notesSnapshot: 'From the office. ' });
      await ada.page.waitForTimeout(Math.max(0, mendedAt - performance.now()));
      cable.plugIn();
      await meetingFrame(ada).getByText('Connection lost.').waitFor({ state: 'detached' });
      await bothConnected();
      await bothMove();
      expect(await bo.page.locator('li.tile').count()).toBe(2);
      expect(await meetingFrame(ada).locator('li.tile').count()).toBe(2);
      await meetingFrame(ada).getByRole('button', { name: 'Unmute microphone' }).waitFor();
      await adaAtBo().getByLabel('muted').waitFor();
      await expect
        .poll(async () => (await stored())?.notesSnapshot)
        .toSatisfy((notes) => /From the train\. /.test(notes) && /From the office\. /.test(notes));
      const [greet] = prepared.items;
      await expect
        .poll(async () => (await stored())?.checklistStateJson)
        .toMatchObject({ [greet?.id ?? '']: true });
      await meetingFrame(ada).getByRole('button', { name: 'Unmute microphone' }).click();
    });

    test('video yields to audio, both sides see why, and it recovers', async () => {
      const [line] = lan.places;
      for (const where of [await frameOf(ada), bo.page])
        await expect.poll(() => isJudged(where)).toBe(true);
      line.be({ kbitsPerSecond: 64 });
      // Either may show first, and disappears again while a smaller video is tried.
      await Promise.all([
        pausedNotice().waitFor({ timeout: 60_000 }),
        adaAtBo()
          .getByText(/video is paused/)
          .waitFor({ timeout: 60_000 }),
      ]);
      const before = await arrivedPackets(bo.page, 'audio');
      await expect.poll(() => arrivedPackets(bo.page, 'audio')).toBeGreaterThan(before + 20);
      line.be({});
      await bothMove();
      await expect.poll(() => pausedNotice().count(), { timeout: 60_000 }).toBe(0);
    });

    test('a firewall starts to drop UDP: the call continues through the relay over TCP', async () => {
      const [line] = lan.places;
      line.be({ dropsUdp: true });
      await adaAtBo().getByText('Reconnecting…').waitFor();
      const frame = await frameOf(ada);
      await expect.poll(() => relayProtocols(frame), { timeout: 60_000 }).toContain('tcp');
      await bothConnected();
      await bothMove();
    });
  },
);
