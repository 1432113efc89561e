import type { Page } from 'playwright-core';
import { afterEach, expect, test } from 'vitest';
import { type Prepared, prepareRoom } from '../support/api.ts';
import { openBrowser, type Person } from '../support/browser.ts';
import { withBusyCores } from '../support/busy-machine.ts';
import { keepConnections } from '../support/connections.ts';
import { sharedProgram } from '../support/shared-program.ts';

const rounds = 50;
const program = sharedProgram();
const open: Person[] = [];

afterEach(() => Promise.all(open.splice(0).map((person) => person.close())));

async function guest(prepared: Prepared, name: string): Promise<Page> {
  const person = await openBrowser({ width: 640 });
  open.push(person);
  const { page } = person;
  await page.addInitScript(keepConnections);
  await page.goto(prepared.guestUrl);
  await page.getByLabel('Your name').fill(name);
  return page;
}

const together = (pages: readonly Page[], act: (page: Page) => Promise<unknown>) =>
  Promise.all(pages.map(act));

/** Returns from how many others the page receives video on a connection that is up. */
const receivedFrom = (page: Page) =>
  page.evaluate(async () => {
    const made: unknown = Reflect.get(window, 'connectionsOfPage');
    const connections: RTCPeerConnection[] = Array.isArray(made) ? made : [];
    const up = connections.filter(({ connectionState }) => connectionState === 'connected');
    const arrived = await Promise.all(
      up.map(async (connection) =>
        [...(await connection.getStats()).values()].some(
          ({ type, kind, framesDecoded }) =>
            type === 'inbound-rtp' && kind === 'video' && framesDecoded > 0,
        ),
      ),
    );
    return arrived.filter(Boolean).length;
  });

async function expectEveryPair(pages: readonly Page[], round: string): Promise<void> {
  for (const [at, page] of pages.entries()) {
    await expect
      .poll(() => receivedFrom(page), { timeout: 60_000, message: `${round}, guest ${at + 1}` })
      .toBe(pages.length - 1);
  }
}

test.each([3, 4])(
  '%i people who join at the same instant on a busy machine all see each other',
  { tags: 'full', timeout: 1_800_000 },
  async (count) => {
    const prepared = await prepareRoom(program.url, `Simultaneous ${count}`);
    const names = Array.from({ length: count }, (_, at) => `Guest ${at + 1}`);
    const pages = await Promise.all(names.map((name) => guest(prepared, name)));
    const join = (page: Page) => page.getByRole('button', { name: 'Join', exact: true });
    await together(pages, (page) => join(page).waitFor());
    await withBusyCores(async () => {
      await together(pages, (page) => join(page).evaluate((button: HTMLElement) => button.click()));
      await expectEveryPair(pages, 'joining');
      // A page that is reloaded in a call joins as soon as it opens.
      for (let round = 2; round <= rounds; round += 1) {
        await together(pages, (page) => page.reload());
        await expectEveryPair(pages, `round ${round}`);
      }
    });
  },
);
