import type { Page } from 'playwright-core';
import { type ApiUser, prepareRoom } from '../e2e/support/api.ts';
import { openBrowser, type Person } from '../e2e/support/browser.ts';
import {
  hasLiveKit,
  type LiveKitNode,
  liveKitKey,
  liveKitSecret,
  liveKitSettings,
  startLiveKit,
} from '../e2e/support/livekit-server.ts';
import { discard, startProgram } from '../e2e/support/program.ts';
import { hasRedisServer, startRedis } from '../e2e/support/redis-server.ts';
import { compared, type Measured, plain } from './report.ts';
import { median, quantile, spread } from './statistics.ts';
import { startBare } from './support/bare-program.ts';
import { enterCall, signInAndRemember } from './support/call-pages.ts';
import { FirstFrames } from './support/first-frames.ts';
import { longestGap, watchGaps } from './support/frame-gaps.ts';
import { quietMachine } from './support/quiet-machine.ts';

const joinRounds = Number(process.env.BENCH_ROUNDS ?? 30);
const killRounds = 3;
/** Until the waiting page is idle. */
const settleMs = 700;
const quietWithinMs = 5_000;
/** Limit for the first remote frame, against a bare page on the same LiveKit server. */
const mostRatio = 1.1;
const mostGapMs = 8_000;

/** Measures the LiveKit transport: when the first video shows, and how long it freezes when a node dies. */
export async function livekit(): Promise<Measured[]> {
  if (!hasLiveKit()) {
    console.log('No LiveKit on this machine: npm test builds it where Go is.');
    return [];
  }
  return [...(await joining()), ...(hasRedisServer() ? await dying() : [])];
}

async function joining(): Promise<Measured[]> {
  const node = await startLiveKit();
  const program = await startProgram({ VIDEO_PROVIDER: 'livekit', ...liveKitSettings(node) });
  const settings = { url: node.url, key: liveKitKey, secret: liveKitSecret };
  const bare = await startBare('livekit-server', { BARE_LIVEKIT: JSON.stringify(settings) });
  const there = await openBrowser();
  const comer = await openBrowser();
  const times = { bare: [] as number[], guest: [] as number[] };
  try {
    const frames = await FirstFrames.of(comer);
    const { user, roomId, guestUrl } = await prepareRoom(program.url, 'LiveKit');
    for (const person of [there, comer]) {
      await signInAndRemember(person, user, program.url, roomId, guestUrl);
    }
    for (let round = 0; round <= joinRounds; round += 1) {
      for (const way of ['bare', 'guest'] as const) {
        await quietMachine(quietWithinMs);
        const took =
          way === 'bare'
            ? await timeBare(there, comer, frames, `http://localhost:${bare.port}/${round}`)
            : await timeOurs(there, comer, frames, user, program.url, round);
        // The first round fills the caches.
        if (round > 0) times[way].push(took);
      }
    }
  } finally {
    await comer.close();
    await there.close();
    bare.stop();
    await discard(program);
    await node.kill();
  }
  return [
    compared('livekit: first remote frame, guest’s page', 'ms', {
      ours: median(times.guest),
      peer: median(times.bare),
      limit: mostRatio,
      note: spread(times.guest),
    }),
  ];
}

async function timeBare(
  there: Person,
  comer: Person,
  frames: FirstFrames,
  address: string,
): Promise<number> {
  const other = await there.context.newPage();
  await other.goto(address);
  await other.waitForFunction(() => document.title === 'there');
  return timed(comer, frames, address, other);
}

async function timeOurs(
  there: Person,
  comer: Person,
  frames: FirstFrames,
  user: ApiUser,
  url: string,
  round: number,
): Promise<number> {
  const room = await user.send<{ id: string }>('POST', '/api/rooms', { topic: `Round ${round}` });
  const link = await user.send<{ url: string }>('GET', `/api/rooms/${room.id}/guest-link`);
  const other = await enterCall(there, `${url}/app/rooms/${room.id}/call`);
  return timed(comer, frames, link.url, other);
}

async function timed(
  { context }: Person,
  frames: FirstFrames,
  address: string,
  other: Page,
): Promise<number> {
  const page = await context.newPage();
  await page.waitForTimeout(settleMs);
  const took = await frames.timeFrom(page, address);
  await page.close();
  await other.close();
  return took;
}

/** Kills the node of a call several times. */
async function dying(): Promise<Measured[]> {
  const redis = await startRedis();
  const gaps: number[] = [];
  try {
    for (let round = 0; round < killRounds; round += 1) gaps.push(await kill(redis.address));
  } finally {
    redis.stop();
  }
  const note = `the slowest; ${spread(gaps)}`;
  return [plain('livekit: a node dies, no picture for', 'ms', quantile(gaps, 1), mostGapMs, note)];
}

async function kill(redis: string): Promise<number> {
  const nodes: LiveKitNode[] = [await startLiveKit({ redis }), await startLiveKit({ redis })];
  const program = await startProgram({ VIDEO_PROVIDER: 'livekit', ...liveKitSettings(...nodes) });
  const people = [await openBrowser({ camera: 'red' }), await openBrowser({ camera: 'blue' })];
  try {
    const { guestUrl } = await prepareRoom(program.url, 'Dying');
    for (const [at, { page }] of people.entries()) {
      await page.goto(guestUrl);
      await page.getByLabel('Your name').fill(at === 0 ? 'Ada' : 'Bo');
      await page.getByRole('button', { name: 'Join', exact: true }).click();
    }
    const pages = people.map(({ page }) => page);
    await Promise.all(pages.map((page) => watchGaps(page)));
    await nodes.find((node) => node.carriesMedia())?.kill();
    return Math.max(...(await Promise.all(pages.map((page) => longestGap(page)))));
  } finally {
    await Promise.all(people.map((person) => person.close()));
    await discard(program);
    await Promise.all(nodes.map((node) => node.kill()));
  }
}
