import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import type { Recording } from '#domain/recordings/contract.ts';
import { type ApiUser, hostUrl, type Prepared, prepareRoom } from '../e2e/support/api.ts';
import { openBrowser, type Person } from '../e2e/support/browser.ts';
import { discard, type Program, startProgram } from '../e2e/support/program.ts';
import { noteRecording, type RecordedParts } from '../e2e/support/recorded-parts.ts';
import { type Measured, plain } from './report.ts';
import { quantile } from './statistics.ts';
import { flashingDevices } from './support/flashing-devices.ts';
import { writeVideo } from './support/hour-of-video.ts';
import { beginSegments, complete, uploadParts } from './support/recorded-calls.ts';
import {
  beepsOf,
  type Flash,
  flashesOf,
  seeksOf,
  watchFlashes,
  watchSeeks,
} from './support/watched-player.ts';

/** Parts of two seconds. */
const recordedParts = 15;
const watchedMs = 20_000;
const seeks = 15;
const hourSeconds = 3600;
/** Two moments of the call are farther apart. */
const samePairMs = 400;

/** Measures how exactly people play together, their lips and voices, and how soon a jump is there. */
export const player = () => withViewer(realCall);

/** Measures how soon a jump in an hour is there. */
export const playerOfHour = () => withViewer(hourOfTwo);

async function withViewer(
  measure: (program: Program, prepared: Prepared, viewer: Person) => Promise<Measured[]>,
): Promise<Measured[]> {
  const program = await startProgram();
  try {
    const prepared = await prepareRoom(program.url, 'Player');
    const viewer = await openBrowser({ devices: 'none' });
    try {
      await prepared.user.signIn(viewer);
      return await measure(program, prepared, viewer);
    } finally {
      await viewer.close();
    }
  } finally {
    await discard(program);
  }
}

/** Two people flash and beep at the same moments. */
async function realCall(program: Program, prepared: Prepared, viewer: Person): Promise<Measured[]> {
  const callId = await recordTwo(prepared);
  const page = await played(program, prepared.user, viewer, callId);
  await watchFlashes(page);
  await sleep(watchedMs);
  const flashes = await flashesOf(page);
  const sources = await page.evaluate(() =>
    [...document.querySelectorAll('video')].map(({ src }) => src),
  );
  const beeps = await beepsOf(page, sources);
  const [ones, others] = [0, 1].map((video) => flashes.filter((one) => one.video === video));
  const apart = distances(shownAt(ones), shownAt(others));
  const lips = beeps.flatMap((of, video) =>
    distances(
      flashes.filter((one) => one.video === video).map(({ mediaMs }) => mediaMs),
      of,
    ),
  );
  const starts = await startsOf(prepared.user, callId, sources);
  const recordedAt = (of: readonly Flash[] = []) =>
    of.map(({ video, mediaMs }) => (starts[video] ?? 0) + mediaMs);
  const apartInFiles = distances(recordedAt(ones), recordedAt(others));
  const jumps = await jump(page);
  return [
    judged('player: people apart on the screen, 95 %', apart, 80),
    judged('player: people apart in their files, 95 %', apartInFiles, 80),
    judged('player: lips and voice apart, 95 %', lips, 80),
    judged('player: a jump in a call of two at 720p, 95 %', jumps, 500),
  ];
}

/** Where the files of these addresses begin on the call's clock, in milliseconds. */
async function startsOf(user: ApiUser, callId: string, urls: readonly string[]): Promise<number[]> {
  const { people } = await user.send<Recording>('GET', `/api/calls/${callId}/recording`);
  const files = people.flatMap(({ tracks }) => tracks).flatMap(({ files }) => files);
  return urls.map((url) => files.find(({ id }) => url.includes(id))?.startMs ?? Number.NaN);
}

const shownAt = (flashes: readonly Flash[] = []) => flashes.map(({ shownAt }) => shownAt);

/** How far each moment is from the nearest of the others. */
const distances = (moments: readonly number[], others: readonly number[]): number[] =>
  moments
    .map((one) => Math.min(...others.map((other) => Math.abs(one - other))))
    .filter((ms) => ms < samePairMs);

function judged(name: string, ms: readonly number[], most: number): Measured {
  if (ms.length === 0) throw new Error(`${name}: nothing was measured`);
  const note = `median ${Math.round(quantile(ms, 0.5))} ms, at most ${Math.round(Math.max(...ms))} ms, n=${ms.length}`;
  return plain(name, 'ms', quantile(ms, 0.95), most, note);
}

/** @returns the call */
async function recordTwo(prepared: Prepared): Promise<string> {
  const { user, roomId, guestUrl } = prepared;
  await user.send('PUT', `/api/rooms/${roomId}/capture-settings`, { recording: 'start' });
  const { id } = await user.send<{ id: string }>('POST', '/api/calls', { roomId });
  const [ada, bo] = [await openBrowser(), await openBrowser()];
  try {
    const sent = [ada, bo].map(({ context }) => noteRecording(context));
    for (const { page } of [ada, bo]) await page.addInitScript(flashingDevices);
    await ada.page.goto(await hostUrl(prepared));
    await bo.page.goto(guestUrl);
    await bo.page.getByLabel('Your name').fill('Bo');
    for (const { page } of [ada, bo]) {
      await page.getByLabel('Record me').check();
      await page.getByRole('button', { name: 'Join', exact: true }).click();
    }
    while (sent.some((one) => countOf(one) < recordedParts)) await sleep(500);
    for (const { page } of [ada, bo]) {
      await page.getByRole('button', { name: 'Leave' }).click();
      await page.getByText('Your recording has been sent.').waitFor();
    }
    await user.send('PUT', `/api/calls/${id}`, { endForEveryone: true });
  } finally {
    await Promise.all([ada, bo].map((person) => person.close()));
  }
  return id;
}

const countOf = ({ acknowledged }: RecordedParts) => [...acknowledged.values()].flat().length;

/** Opens the call's page, and plays what was recorded. */
async function played(program: Program, user: ApiUser, { page }: Person, callId: string) {
  for (;;) {
    const { state } = await user.send<Recording>('GET', `/api/calls/${callId}/recording`);
    if (state === 'ready') break;
    if (state !== 'recording' && state !== 'processing')
      throw new Error(`the recording is ${state}`);
    await sleep(500);
  }
  await page.goto(`${program.url}/app/calls/${callId}`);
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await page.waitForFunction(() => {
    const videos = [...document.querySelectorAll('video')];
    return (
      videos.length === 2 && videos.every(({ paused, currentTime }) => !paused && currentTime > 0)
    );
  });
  return page;
}

/** Jumps while it plays, each time to the other half. @returns how long each jump took, in milliseconds */
async function jump(page: Page): Promise<number[]> {
  await watchSeeks(page);
  const slider = page.getByRole('slider', { name: 'Position' });
  const box = await slider.boundingBox();
  if (!box) throw new Error('there is no timeline');
  for (let count = 0; count < seeks; count += 1) {
    const share = (count % 2 === 0 ? 0.02 : 0.52) + 0.43 * Math.random();
    await page.mouse.click(box.x + box.width * share, box.y + box.height / 2);
    await page.waitForFunction((done) => seekTimes.length === done, count + 1);
    await sleep(700);
  }
  return seeksOf(page);
}

declare const seekTimes: number[];

async function hourOfTwo(
  program: Program,
  { user }: Prepared,
  viewer: Person,
): Promise<Measured[]> {
  const folder = mkdtempSync(join(tmpdir(), 'rapport-hour-'));
  const file = join(folder, 'hour');
  await writeVideo(file, hourSeconds);
  const bytes = readFileSync(file);
  rmSync(folder, { recursive: true });
  const segments = await beginSegments(program, user, { calls: 1, people: 2 });
  const callId = segments[0]?.callId ?? '';
  for (const segment of segments) {
    const count = await uploadParts(program.url, segment, bytes, hourSeconds / 2);
    await complete(program.url, segment, count);
  }
  await user.send('PUT', `/api/calls/${callId}`, { endForEveryone: true });
  const page = await played(program, user, viewer, callId);
  return [judged('player: a jump in an hour of two, 95 %', await jump(page), 500)];
}
