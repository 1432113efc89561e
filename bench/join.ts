import type { Page } from 'playwright-core';
import { type ApiUser, prepareRoom } from '../e2e/support/api.ts';
import { openBrowser, type Person } from '../e2e/support/browser.ts';
import { discard, startProgram } from '../e2e/support/program.ts';
import { compared, type Measured } from './report.ts';
import { median, spread } from './statistics.ts';
import { startBare } from './support/bare-program.ts';
import { enterCall, signInAndRemember } from './support/call-pages.ts';
import { FirstFrames } from './support/first-frames.ts';
import { quietMachine } from './support/quiet-machine.ts';

const warmRounds = Number(process.env.BENCH_ROUNDS ?? 15);
const coldRounds = 5;
/** Until the waiting page is idle. */
const settleMs = 700;
const quietWithinMs = 5_000;
const limits = { guest: 1.15, staff: 2 };

const ways = ['bare', 'bareSmall', 'guest', 'staff'] as const;
type Way = (typeof ways)[number];
type Times = Record<Way, number[]>;

/** The address that the measured page opens, and a function that makes the other one join first. */
interface Scene {
  address: string;
  otherIsThere(): Promise<Page>;
}

/**
 * Measures the time from opening the page to the first frame of the other participant, who is there
 * already. The bare page opens its socket, requests the devices and creates its offer
 * simultaneously; everything else is the browser's own work. `bareSmall` is that page with
 * half-size video at first, as in Rapport: it shows how much of the difference comes from that
 * optimization.
 */
export async function join(): Promise<Measured[]> {
  const program = await startProgram();
  const bare = await startBare('meeting-server');
  const there = await openBrowser();
  const comer = await openBrowser();
  const frames = await FirstFrames.of(comer);
  try {
    const { user, roomId, guestUrl } = await prepareRoom(program.url, 'Join');
    for (const person of [there, comer]) {
      await signInAndRemember(person, user, program.url, roomId, guestUrl);
    }
    const scene = scenes(there, user, program.url, bare.port);
    const warm = noTimes();
    const cold = noTimes();
    await round(comer, frames, scene, null);
    for (let count = 0; count < warmRounds; count += 1) await round(comer, frames, scene, warm);
    for (let count = 0; count < coldRounds; count += 1) {
      await round(comer, frames, scene, cold, () => forget(comer));
    }
    return rows(warm, cold);
  } finally {
    await comer.close();
    await there.close();
    bare.stop();
    await discard(program);
  }
}

const noTimes = (): Times => ({ bare: [], bareSmall: [], guest: [], staff: [] });

/** Each scene uses a room of its own, so that no participant of the previous round is still expected. */
function scenes(there: Person, user: ApiUser, url: string, barePort: number) {
  let count = 0;
  const newRoom = async () => {
    count += 1;
    const room = await user.send<{ id: string }>('POST', '/api/rooms', { topic: `Join ${count}` });
    const link = await user.send<{ url: string }>('GET', `/api/rooms/${room.id}/guest-link`);
    return { staff: `${url}/app/rooms/${room.id}/call`, guest: link.url };
  };
  return async (way: Way): Promise<Scene> => {
    if (way === 'bare' || way === 'bareSmall') {
      count += 1;
      const address = `http://localhost:${barePort}/${way === 'bare' ? '' : 'small'}${count}`;
      return { address, otherIsThere: () => enterBare(there, address) };
    }
    const room = await newRoom();
    const other = way === 'guest' ? room.staff : room.guest;
    return { address: room[way], otherIsThere: () => enterCall(there, other) };
  };
}

async function enterBare({ context }: Person, address: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(address);
  await page.waitForFunction(() => document.title === 'there');
  return page;
}

async function round(
  comer: Person,
  frames: FirstFrames,
  sceneOf: (way: Way) => Promise<Scene>,
  into: Times | null,
  before: () => Promise<void> = async () => undefined,
): Promise<void> {
  for (const way of ways) {
    await quietMachine(quietWithinMs);
    const scene = await sceneOf(way);
    const other = await scene.otherIsThere();
    await before();
    const page = await comer.context.newPage();
    await page.waitForTimeout(settleMs);
    const took = await frames.timeFrom(page, scene.address);
    into?.[way].push(took);
    await page.close();
    await other.close();
  }
}

/** Empties the browser's cache, including compiled code. */
async function forget({ context, page }: Person): Promise<void> {
  const session = await context.newCDPSession(page);
  await session.send('Network.clearBrowserCache');
  await session.detach();
}

function rows(warm: Times, cold: Times): Measured[] {
  const peer = median(warm.bare);
  const row = (way: 'guest' | 'staff', name: string) =>
    compared(`join: ${name}`, 'ms', {
      ours: median(warm[way]),
      peer,
      limit: limits[way],
      note: `${spread(warm[way])}; bare ${spread(warm.bare)}`,
    });
  const coldRow = (way: 'guest' | 'staff', name: string) =>
    compared(`join: ${name}, first visit`, 'ms', {
      ours: median(cold[way]),
      peer: median(cold.bare),
      note: spread(cold[way]),
    });
  const tuned = compared('join: guest’s page, against a bare one with a small picture', 'ms', {
    ours: median(warm.guest),
    peer: median(warm.bareSmall),
    note: spread(warm.bareSmall),
  });
  return [
    row('guest', 'guest’s page'),
    tuned,
    row('staff', 'staff’s call page'),
    coldRow('guest', 'guest’s page'),
    coldRow('staff', 'staff’s call page'),
  ];
}
