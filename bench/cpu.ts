import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { prepareRoom } from '../e2e/support/api.ts';
import { openBrowser, type Person } from '../e2e/support/browser.ts';
import { discard, startProgram } from '../e2e/support/program.ts';
import { compared, type Measured } from './report.ts';
import { median, spread } from './statistics.ts';
import { startBare } from './support/bare-program.ts';
import { cpuSeconds } from './support/browser-cpu.ts';
import { enterCall, signInAndRemember } from './support/call-pages.ts';
import { quietMachine } from './support/quiet-machine.ts';

const rounds = 4;
/** Until both videos have their full size. */
const settleMs = 3_000;
const measuredMs = 12_000;
const limit = 1.15;

type Way = 'bare' | 'ours';

/** Videos of the same size as in Rapport, remote and own: scaling them costs the same on both pages. */
const shownAlike = `
  #remote { position: fixed; inset: 0; width: 100%; height: 100%; object-fit: cover; }
  #own { position: fixed; right: 24px; bottom: 24px; width: 240px; height: 150px; object-fit: cover; }
`;

/** Measures the CPU time of one browser in a call of two, against the bare page with the same tracks. */
export async function cpu(): Promise<Measured[]> {
  const program = await startProgram();
  const bare = await startBare('meeting-server');
  const there = await openBrowser();
  const measured = await openBrowser();
  try {
    const { user, roomId, guestUrl } = await prepareRoom(program.url, 'Processor');
    for (const person of [there, measured]) {
      await signInAndRemember(person, user, program.url, roomId, guestUrl);
    }
    const used: Record<Way, number[]> = { bare: [], ours: [] };
    for (let round = 0; round < rounds; round += 1) {
      await quietMachine(5_000);
      const address = `http://localhost:${bare.port}/${round}`;
      used.bare.push(await spent(measured, () => meetBare([there, measured], address)));
      const room = await user.send<{ id: string }>('POST', '/api/rooms', { topic: `${round}` });
      const link = await user.send<{ url: string }>('GET', `/api/rooms/${room.id}/guest-link`);
      const meet = () => inTurn([there, measured], (person) => enterCall(person, link.url));
      used.ours.push(await spent(measured, meet));
    }
    return [
      compared('cpu: the browser of one of two', 'CPU s', {
        ours: median(used.ours),
        peer: median(used.bare),
        limit,
        note: `in ${measuredMs / 1000} s; ${spread(used.ours)}, bare ${spread(used.bare)}`,
      }),
    ];
  } finally {
    await measured.close();
    await there.close();
    bare.stop();
    await discard(program);
  }
}

async function spent(person: Person, meet: () => Promise<Page[]>): Promise<number> {
  const pages = await meet();
  await Promise.all(pages.map((page) => page.waitForFunction(twoFullPictures)));
  await sleep(settleMs);
  const before = await cpuSeconds(person);
  await sleep(measuredMs);
  const after = await cpuSeconds(person);
  await Promise.all(pages.map((page) => page.close()));
  return after - before;
}

/** A connection starts with a small video and takes up to half a minute to measure its bandwidth. */
function twoFullPictures(): boolean {
  const videos = [...document.querySelectorAll('video')];
  return videos.filter((video) => video.srcObject && video.videoWidth >= 1280).length >= 2;
}

const meetBare = (people: readonly Person[], address: string) =>
  inTurn(people, async ({ context }) => {
    const page = await context.newPage();
    await page.goto(address);
    await page.waitForFunction(() => document.title === 'there');
    await page.addStyleTag({ content: shownAlike });
    return page;
  });

async function inTurn(
  people: readonly Person[],
  enter: (person: Person) => Promise<Page>,
): Promise<Page[]> {
  const pages: Page[] = [];
  for (const person of people) pages.push(await enter(person));
  return pages;
}
