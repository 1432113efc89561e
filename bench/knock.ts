import { WebSocket } from 'ws';
import { type Prepared, prepareRoom } from '../e2e/support/api.ts';
import { openBrowser, type Person } from '../e2e/support/browser.ts';
import { ownerLogin } from '../e2e/support/own-database.ts';
import { discard, type Program, startProgram } from '../e2e/support/program.ts';
import { compared, type Measured, plain } from './report.ts';
import { median, quantile } from './statistics.ts';
import { startBare } from './support/bare-program.ts';
import { LiveSocket } from './support/live-socket.ts';

const rounds = 60;
const warmUp = 5;
const mostMs = 300;

/**
 * Measures the time from a guest's request to join until another page of the app shows it, beside a message of a
 * bare WebSocket whose row is committed before it is answered.
 */
export async function knock(): Promise<Measured[]> {
  const program = await startProgram();
  const echo = await startBare('echo-server', {
    BENCH_DATABASE: JSON.stringify(ownerLogin(program.dataDir)),
  });
  const agent = await openBrowser({ devices: 'none' });
  try {
    const prepared = await prepareRoom(program.url, 'Knock');
    await prepared.user.send('PATCH', `/api/rooms/${prepared.roomId}`, { lobby: true });
    await prepared.user.signIn(agent);
    const loaded = agent.page.waitForResponse(/\/at-the-door-/);
    await agent.page.goto(`${program.url}/app/analytics`);
    await loaded;
    const bare = new WebSocket(`ws://127.0.0.1:${echo.port}`, { perMessageDeflate: false });
    await new Promise((resolve) => bare.once('open', resolve));
    const first = await oneKnock(program, prepared, agent);
    const times = { knock: [] as number[], bare: [] as number[] };
    for (let round = -warmUp; round < rounds; round += 1) {
      const [message, shown] = [await roundTrip(bare), await oneKnock(program, prepared, agent)];
      if (round < 0) continue;
      times.bare.push(message);
      times.knock.push(shown);
    }
    bare.terminate();
    const p95 = quantile(times.knock, 0.95);
    return [
      plain('knock: request to the other page', 'ms', p95, mostMs, `p95, n=${rounds}`),
      plain('knock: the first of a page', 'ms', first, null),
      compared('knock: beside a bare message', 'ms', {
        ours: median(times.knock),
        peer: median(times.bare),
        note: 'median; ours until the page has painted it',
      }),
    ];
  } finally {
    await agent.close();
    echo.stop();
    await discard(program);
  }
}

async function roundTrip(socket: WebSocket): Promise<number> {
  const answered = new Promise((resolve) => socket.once('message', resolve));
  const from = performance.now();
  socket.send('{"type":"knock"}');
  await answered;
  return performance.now() - from;
}

/** A guest in the preview asks to join, and leaves when the agent's page has shown it. */
async function oneKnock({ url }: Program, { guestUrl }: Prepared, { page }: Person) {
  const link = await fetch(`${url}/api/join/${guestUrl.split('/').at(-1)}`);
  const { meetingToken: token } = (await link.json()) as { meetingToken: string };
  const guest = await LiveSocket.open(url, { channel: 'meeting', token }, 'waiting');
  const shown = await whenShown(page, true);
  const from = performance.timeOrigin + performance.now();
  guest.send({ type: 'join', name: 'Samuel', media: { audio: true, video: true } });
  const at = await shown();
  const over = await whenShown(page, false);
  await guest.left();
  await over();
  return at - from;
}

/** Watches each frame of the page. The result resolves with the time at which the card is there, or is not. */
async function whenShown(page: Person['page'], wanted: boolean): Promise<() => Promise<number>> {
  await page.evaluate((there) => {
    const seen = new Promise<number>((resolve) => {
      const look = () => {
        const card = document.querySelector('section[aria-label="Waiting guests"]');
        if ((card !== null) === there) resolve(performance.timeOrigin + performance.now());
        else requestAnimationFrame(look);
      };
      look();
    });
    Reflect.set(window, 'benchKnock', seen);
  }, wanted);
  return () => page.evaluate(() => Reflect.get(window, 'benchKnock'));
}
