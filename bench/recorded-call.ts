import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Recording } from '#domain/recordings/contract.ts';
import { hostUrl, type Prepared, prepareRoom } from '../e2e/support/api.ts';
import { openBrowser, type Person } from '../e2e/support/browser.ts';
import { ownerLogin } from '../e2e/support/own-database.ts';
import { discard, type Program, startProgram } from '../e2e/support/program.ts';
import { noteRecording } from '../e2e/support/recorded-parts.ts';
import { compared, type Measured, plain } from './report.ts';
import { cpuSeconds } from './support/browser-cpu.ts';
import { remoteVideo } from './support/call-pages.ts';
import { quietMachine } from './support/quiet-machine.ts';
import { joinRecorded, openRealTabs } from './support/real-tabs.ts';
import { pictureTimes } from './support/recorded-frames.ts';

const measuredMs = 12_000;
const settleMs = 5_000;
const kills = 5;
const hiddenMinutes = Number(process.env.BENCH_HIDDEN_MINUTES ?? 10);

/** Measures what recording costs a page and its call. */
export const recordedPage = () => inRoom('ask', cost);
/** Measures what is lost of a tab that is killed at a random moment. */
export const killedTab = () => inRoom('start', lossOfKilledTabs);
/** Measures what a hidden tab records, for ten minutes or BENCH_HIDDEN_MINUTES. */
export const hiddenTab = () => inRoom('start', hidden);

interface Scene {
  program: Program;
  prepared: Prepared;
  callId: string;
}

async function inRoom(
  setting: 'ask' | 'start',
  measure: (scene: Scene) => Promise<Measured[]>,
): Promise<Measured[]> {
  const program = await startProgram();
  try {
    const prepared = await prepareRoom(program.url, 'Recorded call');
    const { user, roomId } = prepared;
    await user.send('PUT', `/api/rooms/${roomId}/capture-settings`, { recording: setting });
    const { id } = await user.send<{ id: string }>('POST', '/api/calls', { roomId });
    const scene = { program, prepared, callId: id };
    return await (setting === 'ask' ? measure(scene) : withHost(scene, measure));
  } finally {
    await discard(program);
  }
}

/** A call ends with its last page, so that someone stays in it. */
async function withHost(scene: Scene, measure: (scene: Scene) => Promise<Measured[]>) {
  const host = await openBrowser({ devices: 'none' });
  try {
    await host.page.goto(await hostUrl(scene.prepared));
    await host.page.getByLabel('Join unrecorded').check();
    await join(host);
    return await measure(scene);
  } finally {
    await host.close();
  }
}

async function cost({ prepared }: Scene): Promise<Measured[]> {
  const [ada, bo] = [await openBrowser(), await openBrowser()];
  try {
    const sent = noteRecording(ada.context);
    await ada.page.goto(await hostUrl(prepared));
    await join(ada);
    await bo.page.goto(prepared.guestUrl);
    await bo.page.getByLabel('Your name').fill('Bo');
    await join(bo);
    await bo.page.waitForFunction(
      (shown) => (document.querySelector<HTMLVideoElement>(shown)?.videoWidth ?? 0) >= 1280,
      remoteVideo,
    );
    const before = await spent(ada, bo);
    await ada.page.getByRole('button', { name: 'Start recording' }).click();
    const dialog = ada.page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Start recording' }).click();
    await dialog.getByRole('button', { name: 'Agree' }).click();
    while ([...sent.acknowledged.values()].flat().length < 2) await sleep(200);
    const after = await spent(ada, bo);
    const [parts = []] = sent.acknowledged.values();
    const times = await pictureTimes(Buffer.concat(parts));
    const seconds = (times.at(-1) ?? 0) - (times[0] ?? 0);
    const recorded = (times.length - 1) / seconds;
    return [
      plain('recording: the page, in addition', 'cores', after.cores - before.cores, 0.25),
      compared('recording: frames that the call sends', 'frames/s', {
        ours: after.frames,
        peer: before.frames,
        limit: 0.9,
        at: 'least',
        note: 'against before',
      }),
      compared('recording: frames that are recorded', 'frames/s', {
        ours: recorded,
        peer: before.frames,
        limit: 0.9,
        at: 'least',
        note: `of ${seconds.toFixed(0)} s, against what the call sent before`,
      }),
    ];
  } finally {
    await Promise.all([ada, bo].map((person) => person.close()));
  }
}

const join = ({ page }: Person) => page.getByRole('button', { name: 'Join', exact: true }).click();

/** What one page uses, and what of it arrives at the other, in a second. */
async function spent(one: Person, other: Person): Promise<{ cores: number; frames: number }> {
  await sleep(settleMs);
  await quietMachine(settleMs);
  const framesShown = () =>
    other.page.evaluate(
      (shown) =>
        document.querySelector<HTMLVideoElement>(shown)?.getVideoPlaybackQuality()
          .totalVideoFrames ?? 0,
      remoteVideo,
    );
  const [cpu, frames, at] = [await cpuSeconds(one), await framesShown(), performance.now()];
  await sleep(measuredMs);
  const seconds = (performance.now() - at) / 1000;
  return {
    cores: ((await cpuSeconds(one)) - cpu) / seconds,
    frames: ((await framesShown()) - frames) / seconds,
  };
}

async function lossOfKilledTabs(scene: Scene): Promise<Measured[]> {
  const losses: number[] = [];
  await withOwner(scene, async (owner) => {
    for (let count = 0; count < kills; count += 1) {
      const name = `Guest ${count}`;
      const browser = await openRealTabs();
      await joinRecorded(browser, scene.prepared.guestUrl, name);
      await storedParts(owner, name);
      await sleep(Math.random() * 6_000);
      const killedAt = Date.now();
      browser.process()?.kill('SIGKILL');
      // What was on its way arrives.
      await sleep(2_000);
      losses.push(killedAt - (await recordedUntil(scene, owner, name)));
    }
  });
  const note = losses.map((ms) => (ms / 1000).toFixed(1)).join(', ');
  return [plain(`recording: lost of ${kills} killed tabs`, 'ms', Math.max(...losses), 3000, note)];
}

async function hidden(scene: Scene): Promise<Measured[]> {
  const browser = await openRealTabs();
  try {
    return await withOwner(scene, async (owner) => {
      const page = await joinRecorded(browser, scene.prepared.guestUrl, 'Hidden');
      await storedParts(owner, 'Hidden');
      const other = await browser.newPage();
      await other.bringToFront();
      const state = () => page.evaluate(() => document.visibilityState);
      if ((await state()) !== 'hidden') throw new Error('the tab is not hidden');
      const hiddenAt = Date.now();
      await sleep(hiddenMinutes * 60_000);
      if ((await state()) !== 'hidden') throw new Error('the tab did not stay hidden');
      const endedAt = Date.now();
      await page.close();
      const lost = endedAt - (await recordedUntil(scene, owner, 'Hidden'));
      const seconds = Math.round((endedAt - hiddenAt) / 1000);
      const note = `hidden for ${seconds} s`;
      return [plain('recording: a hidden tab has not recorded its last', 'ms', lost, 3000, note)];
    });
  } finally {
    await browser.close();
  }
}

async function withOwner<T>({ program }: Scene, use: (owner: pg.Client) => Promise<T>): Promise<T> {
  const owner = new pg.Client(ownerLogin(program.dataDir));
  await owner.connect();
  try {
    return await use(owner);
  } finally {
    await owner.end();
  }
}

/** Waits until a part of this person is stored. */
async function storedParts(owner: pg.Client, name: string): Promise<void> {
  for (;;) {
    const { rows } = await owner.query(
      `select 1 from recorded_segments s join recorded_tracks t on t.id = s.track_id
        where t.name = $1 and s.stored_parts > 0`,
      [name],
    );
    if (rows.length > 0) return;
    await sleep(200);
  }
}

/** Has the server join what it has of a person who is gone. @returns the moment at which it ends */
async function recordedUntil({ prepared, callId }: Scene, owner: pg.Client, name: string) {
  await owner.query('update attendances set left_at = now() where name = $1', [name]);
  await owner.query(
    `update recorded_segments s set part_count = s.stored_parts, completed_at = coalesce(completed_at, now())
      from recorded_tracks t where t.id = s.track_id and t.name = $1`,
    [name],
  );
  for (;;) {
    const { people } = await prepared.user.send<Recording>('GET', `/api/calls/${callId}/recording`);
    const files = people
      .filter((person) => person.name === name)
      .flatMap(({ tracks }) => tracks.flatMap((track) => track.files));
    if (files.length > 0 && files.every(({ state }) => state === 'ready')) {
      const ends = files.map(({ startMs, durationMs }) => startMs + (durationMs ?? 0));
      const call = await prepared.user.send<{ startedAt: string }>('GET', `/api/calls/${callId}`);
      return Date.parse(call.startedAt) + Math.max(...ends);
    }
    await sleep(300);
  }
}
