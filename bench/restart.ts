import type { Page } from 'playwright-core';
import { type ApiUser, prepareRoom } from '../e2e/support/api.ts';
import { openBrowser, type Person } from '../e2e/support/browser.ts';
import { discard, startProgram } from '../e2e/support/program.ts';
import { joinFromPreview } from '../e2e/support/staff.ts';
import { type Measured, plain } from './report.ts';
import { quantile, spread } from './statistics.ts';
import { remoteVideo } from './support/call-pages.ts';

const rounds = Number(process.env.BENCH_ROUNDS ?? 20);
const mostFrozenMs = 1_000;
/** How long the call runs well before the server is killed, and after its restart. */
const calmMs = 3_000;

/**
 * Measures `kill -9` of the server during a call, and its restart: the videos, and the text typed
 * meanwhile.
 */
export async function restart(): Promise<Measured[]> {
  let program = await startProgram();
  const staff = await openBrowser({ camera: 'red' });
  const guest = await openBrowser({ camera: 'blue' });
  try {
    const { user, roomId, guestUrl } = await prepareRoom(program.url, 'Restart');
    await user.signIn(staff);
    await staff.page.goto(`${program.url}/app/rooms/${roomId}/call`);
    await joinFromPreview(staff);
    await guest.page.goto(guestUrl);
    await guest.page.getByLabel('Your name').fill('Grace');
    await guest.page.getByRole('button', { name: 'Join', exact: true }).click();
    const notes = await openNotes(staff);
    const frozen: number[] = [];
    let typed = '';
    for (let round = 0; round < rounds; round += 1) {
      const gap = longestGap(guest.page);
      await gap.begin();
      await guest.page.waitForTimeout(calmMs);
      await program.stop('SIGKILL');
      typed += `Round ${round}. `;
      await notes.press('Control+End');
      await notes.pressSequentially(`Round ${round}. `);
      program = await program.restart();
      await stored(user, roomId, typed);
      await guest.page.waitForTimeout(calmMs);
      frozen.push(await gap.end());
    }
    const whole = await notes.inputValue();
    const lost = typed === whole ? 0 : rounds;
    const late = frozen.filter((ms) => ms > mostFrozenMs).length;
    return [
      plain(
        'restart: longest still picture around a kill -9',
        'ms',
        quantile(frozen, 1),
        mostFrozenMs,
        `the slowest; ${spread(frozen)}`,
      ),
      plain('restart: calls with a frozen picture', 'calls', late, 0, `of ${rounds}`),
      plain('restart: calls that lost what was typed', 'calls', lost, 0, `of ${rounds}`),
    ];
  } finally {
    await staff.close();
    await guest.close();
    await discard(program);
  }
}

async function openNotes({ page }: Person) {
  await page.getByRole('tab', { name: 'Notes' }).click();
  return page.getByRole('textbox', { name: 'Call notes' });
}

async function stored(user: ApiUser, roomId: string, typed: string): Promise<void> {
  const deadline = performance.now() + 60_000;
  const path = `/api/calls?roomId=${roomId}`;
  while (performance.now() < deadline) {
    const [call] = await user.send<{ notesSnapshot: string }[]>('GET', path);
    if (call?.notesSnapshot === typed) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`what was typed is not stored: ${typed}`);
}

/** Measures the longest time between two shown frames of the other's video. */
function longestGap(page: Page) {
  return {
    begin: () =>
      page.evaluate((selector) => {
        const shown = () => {
          const video = document.querySelector<HTMLVideoElement>(selector);
          return video?.getVideoPlaybackQuality().totalVideoFrames;
        };
        let [count, last, longest] = [shown(), performance.now(), 0];
        setInterval(() => {
          const now = shown();
          if (now === undefined || now === count) return;
          longest = Math.max(longest, performance.now() - last);
          [count, last] = [now, performance.now()];
        }, 20);
        Reflect.set(window, 'benchLongestGap', () => Math.max(longest, performance.now() - last));
      }, remoteVideo),
    end: () =>
      page.evaluate(() => {
        const tell: unknown = Reflect.get(window, 'benchLongestGap');
        return typeof tell === 'function' ? Number(tell()) : Number.POSITIVE_INFINITY;
      }),
  };
}
