import type { Page } from 'playwright-core';
import { prepareRoom } from '../e2e/support/api.ts';
import { openBadNetwork } from '../e2e/support/bad-network.ts';
import { openBrowser } from '../e2e/support/browser.ts';
import { relayOnly } from '../e2e/support/connections.ts';
import { openCutLine } from '../e2e/support/cut-line.ts';
import { discard, startProgram } from '../e2e/support/program.ts';
import { hasTurnServer, startTurnServer } from '../e2e/support/turn-server.ts';
import { type Measured, plain } from './report.ts';
import { quantile, spread } from './statistics.ts';

const rounds = Number(process.env.BENCH_ROUNDS ?? 20);
const outageMs = 10_000;
/** How long the call runs well before each outage. */
const calmMs = 8_000;
const secret = 'the secret of the TURN server';

/** Measures a network outage of ten seconds: when a notice shows, and when the video moves again. */
export async function outage(): Promise<Measured[]> {
  if (!hasTurnServer()) return [];
  const turn = await startTurnServer(secret);
  const media = await openBadNetwork(turn.urls.udp);
  const program = await startProgram({ TURN_URL: media.turnUrl, TURN_SECRET: secret });
  const people = [await openBrowser({ camera: 'red' }), await openBrowser({ camera: 'blue' })];
  try {
    const { guestUrl } = await prepareRoom(program.url, 'Outage');
    const line = await openCutLine(program.url);
    for (const [at, { page }] of people.entries()) {
      await page.addInitScript(relayOnly);
      await page.goto(at === 0 ? guestUrl.replace(program.url, line.url) : guestUrl);
      await page.getByLabel('Your name').fill(at === 0 ? 'Ada' : 'Bo');
      await page.getByRole('button', { name: 'Join', exact: true }).click();
    }
    const [ada, bo] = people.map(({ page }) => page);
    if (!ada || !bo) throw new Error('unreachable: two people were made');
    const times = { told: [] as number[], seen: [] as number[], back: [] as number[] };
    for (let round = 0; round < rounds; round += 1) {
      await ada.waitForTimeout(calmMs);
      await framesMove(ada);
      const cutAt = performance.now();
      line.cut();
      media.cut();
      const since = (start: number) => performance.now() - start;
      const told = ada
        .getByText('You lost the connection.')
        .waitFor()
        .then(() => since(cutAt));
      const seen = bo
        .getByText('Reconnecting…')
        .first()
        .waitFor()
        .then(() => since(cutAt));
      times.told.push(await told);
      times.seen.push(await seen);
      await ada.waitForTimeout(outageMs - since(cutAt));
      const mendedAt = performance.now();
      line.mend();
      media.mend();
      await framesMove(ada);
      times.back.push(since(mendedAt));
      await ada.getByText('You lost the connection.').waitFor({ state: 'detached' });
    }
    await line.close();
    return [
      worst('outage: until the page says that the line is lost', times.told, 2_000),
      worst('outage: until the others see it', times.seen, null),
      worst('outage: from the network’s return to a moving picture', times.back, 3_000),
    ];
  } finally {
    await Promise.all(people.map((person) => person.close()));
    await discard(program);
    media.close();
    await turn.stop();
  }
}

const worst = (name: string, times: readonly number[], limit: number | null): Measured =>
  plain(name, 'ms', quantile(times, 1), limit, `the slowest; ${spread(times)}`);

/** Resolves when three more frames of the other's video have been shown. */
function framesMove(page: Page): Promise<void> {
  return page.evaluate(async () => {
    const shown = () => {
      const video = document.querySelector<HTMLVideoElement>('li.tile:not([data-own]) video');
      return video?.getVideoPlaybackQuality().totalVideoFrames ?? 0;
    };
    let before = shown();
    while (shown() < before + 3) {
      // The video of a new connection counts from zero.
      before = Math.min(before, shown());
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  });
}
