import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { prepareRoom } from '../e2e/support/api.ts';
import { openBrowser } from '../e2e/support/browser.ts';
import { discard, startProgram } from '../e2e/support/program.ts';
import { type Measured, plain } from './report.ts';
import { serverMemory } from './support/process-memory.ts';

/** As long as three hours of timers take at ten times the speed. */
const fastMinutes = Number(process.env.BENCH_MINUTES ?? 18);
const realMinutes = Number(process.env.BENCH_MINUTES ?? 10);
const faster = 10;
/** Until the pages have loaded their lazy code, and the server has done everything once. */
const warmUpMs = 60_000;
const mostPageMB = 10;
const mostServerMB = 1;

interface Held {
  page: number;
  server: number;
}

/**
 * Measures how much a long call of two adds to the heap of a page and of the server after garbage
 * collection.
 */
export async function heap(): Promise<Measured[]> {
  const fast = await callGrows(fastMinutes, faster);
  const real = await callGrows(realMinutes, 1);
  const row = (kind: keyof Held, grown: Held, most: number, what: string) =>
    plain(`heap: ${kind}, ${what}`, 'MB', grown[kind] / 1e6, most);
  const hours = `${((fastMinutes * faster) / 60).toFixed(1)} h of timers at ${faster} times their pace`;
  return [
    row('page', fast, mostPageMB, hours),
    row('server', fast, mostServerMB, hours),
    row('page', real, mostPageMB, `${realMinutes} min`),
    row('server', real, mostServerMB, `${realMinutes} min`),
  ];
}

async function callGrows(minutes: number, pace: number): Promise<Held> {
  const probeFile = join(tmpdir(), `rapport-heap-${process.pid}.json`);
  const program = await startProgram({
    BENCH_PROBE: probeFile,
    NODE_OPTIONS: `--import=${join(import.meta.dirname, 'support/memory-probe.mjs')}`,
  });
  const people = [await openBrowser(), await openBrowser()];
  try {
    const { guestUrl } = await prepareRoom(program.url, 'Heap');
    for (const [index, { page }] of people.entries()) {
      if (pace !== 1) await page.addInitScript(hurryTimers, pace);
      await page.goto(guestUrl);
      await page.getByLabel('Your name').fill(`Guest ${index}`);
      await page.getByRole('button', { name: 'Join', exact: true }).click();
    }
    const [, other] = people;
    if (!other) throw new Error('unreachable: two people were made');
    const now = async (): Promise<Held> => ({
      page: await heapOf(other.page),
      server: (await serverMemory(program, probeFile)).live,
    });
    await sleep(warmUpMs);
    const before = await now();
    await sleep(minutes * 60_000);
    const after = await now();
    return { page: after.page - before.page, server: after.server - before.server };
  } finally {
    for (const person of people) await person.close();
    await discard(program);
    rmSync(probeFile, { force: true });
  }
}

function hurryTimers(pace: number): void {
  const { setTimeout: later, setInterval: again } = window;
  window.setTimeout = ((run: TimerHandler, ms = 0, ...rest: unknown[]) =>
    later(run, ms / pace, ...rest)) as typeof setTimeout;
  window.setInterval = ((run: TimerHandler, ms = 0, ...rest: unknown[]) =>
    again(run, ms / pace, ...rest)) as typeof setInterval;
}

async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.enable');
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize;
}
