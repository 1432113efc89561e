import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { openBrowser, type Person } from '../e2e/support/browser.ts';
import { discard, startProgram } from '../e2e/support/program.ts';
import { drawShared } from './pictures/draw-shared.ts';
import { helen, jonas, portraitCamera } from './pictures/people.ts';

/**
 * Takes new screenshots of the product for the public pages: `node scripts/take-pictures.ts`, after
 * the call page has changed. It is a real call of the demo's people, whose cameras show drawings.
 */
const out = join(import.meta.dirname, '../web/public/pictures');
const topic = 'Brightleaf Foods – onboarding';
/** The video of a call starts small and grows. */
const growSeconds = 15;

const cameras = mkdtempSync(join(tmpdir(), 'rapport-people-'));
const program = await startProgram({}, undefined, undefined, 'demo');
const people: Person[] = [];
try {
  const call = await openCall();
  for (const theme of ['light', 'dark'] as const) {
    await call.emulateMedia({ colorScheme: theme });
    const screenshot = await call.screenshot();
    for (const [name, width] of [
      ['', 1600],
      ['-small', 800],
    ] as const) {
      const file = join(out, `call-${theme}${name}.avif`);
      await sharp(screenshot).resize(width).avif({ quality: 55, effort: 5 }).toFile(file);
    }
    if (theme === 'light') await drawShared(screenshot);
  }
} finally {
  for (const person of people) await person.close();
  await discard(program);
  rmSync(cameras, { recursive: true, force: true });
}

/** Opens the agent's page and waits until the customer's video has grown. */
async function openCall(): Promise<Page> {
  const agent = await openBrowser({
    pixelRatio: 1.25,
    cameraFile: await portraitCamera(jonas, join(cameras, 'jonas.y4m')),
  });
  const customer = await openBrowser({
    cameraFile: await portraitCamera(helen, join(cameras, 'helen.y4m')),
  });
  people.push(agent, customer);
  await signIn(agent);
  const { page } = agent;
  const rooms = await read(page, '/api/rooms');
  const { id } = rooms.find((room: { topic: string }) => room.topic === topic);
  await page.goto(`${program.url}/app/rooms/${id}/call`);
  const frame = page.frameLocator('iframe[title="Video call"]');
  await frame.getByRole('button', { name: 'Join', exact: true }).click();
  const { url } = await read(page, `/api/rooms/${id}/guest-link`);
  await customer.page.goto(url);
  await customer.page.getByLabel('Your name').fill('Helen Okafor');
  await customer.page.getByRole('button', { name: 'Join', exact: true }).click();
  for (const item of ['Introduce both teams', 'Agree what success looks like in 90 days']) {
    await page.getByRole('checkbox', { name: item }).check();
  }
  await page.mouse.move(700, 30);
  await sleep(growSeconds * 1000);
  return page;
}

function read(page: Page, path: string) {
  return page.evaluate(async (address) => (await fetch(address)).json(), path);
}

async function signIn({ page }: Person): Promise<void> {
  await page.goto(`${program.url}/auth?next=/app`);
  await page.getByLabel('Email').fill('jonas@northwind.example');
  await page.getByLabel('Password', { exact: true }).fill('demo-password');
  await page.getByRole('button', { name: 'Sign In' }).click();
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
}
