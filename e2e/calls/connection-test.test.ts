import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { prepareRoom } from '../support/api.ts';
import { openBrowser, type Person } from '../support/browser.ts';
import { discard, type Program, startProgram } from '../support/program.ts';
import { hasTurnServer, startTurnServer, type TurnServer } from '../support/turn-server.ts';

const shown = (url: string) =>
  url.replace('turn:', '').replace(/\?transport=(\w+)/, (_, how) => `, ${how.toUpperCase()}`);

/** The connection test as guests use it before joining. */
const secret = 'the secret of the TURN server';
let guest: Person;
let program: Program | undefined;

async function openTest(env: Record<string, string>): Promise<void> {
  program = await startProgram(env);
  const { guestUrl } = await prepareRoom(program.url, 'Line test');
  await guest.page.goto(guestUrl);
  await guest.page.getByRole('button', { name: 'Test my connection' }).click();
  await guest.page.getByRole('dialog', { name: 'Connection test' }).waitFor();
}

const lines = () => guest.page.getByRole('dialog').getByRole('listitem');
const done = () => expect.poll(() => lines().filter({ hasText: 'Testing…' }).count()).toBe(0);

beforeAll(async () => {
  guest = await openBrowser({ camera: 'red', width: 900, height: 800 });
});
afterAll(async () => {
  await guest?.close();
  if (program) await discard(program);
});

test('the test lists what works and what this server lacks, and the result can be copied', async () => {
  await openTest({});
  await done();
  await lines()
    .filter({ hasText: /^OK.*Server response: \d+ ms$/ })
    .waitFor();
  await lines()
    .filter({ hasText: /^Problem.*Calls only work within the same network/ })
    .waitFor();
  await lines()
    .filter({ hasText: /^Problem.*Strict firewalls may block calls/ })
    .waitFor();
  await lines()
    .filter({ hasText: /^OK.*Microphone works\.$/ })
    .waitFor();
  await lines()
    .filter({ hasText: /^OK.*Camera works\.$/ })
    .waitFor();
  await guest.page.getByRole('button', { name: 'Copy result' }).click();
  await guest.page.getByRole('button', { name: 'Copied' }).waitFor();
  const copied = await guest.page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toMatch(/^Connection test\n/);
  expect(copied).toMatch(/OK: Server response: \d+ ms/);
  await guest.page.keyboard.press('Escape');
  const opener = guest.page.getByRole('button', { name: 'Test my connection' });
  await expect
    .poll(() => opener.evaluate((button) => button === document.activeElement))
    .toBe(true);
  if (program) await discard(program);
  program = undefined;
});

describe.skipIf(!hasTurnServer())('with a TURN server', { tags: 'full' }, () => {
  let turn: TurnServer;
  beforeAll(async () => {
    turn = await startTurnServer(secret);
  });
  afterAll(async () => {
    await turn?.stop();
  });

  test('each address is tested: one that answers, and one that does not', async () => {
    const nobody = 'turn:127.0.0.1:9?transport=tcp';
    await openTest({
      STUN_URL: turn.urls.udp.replace('turn:', 'stun:').replace(/\?.*/, ''),
      TURN_URL: [turn.urls.udp, turn.urls.tcp, nobody].join(','),
      TURN_SECRET: secret,
    });
    await done();
    const about = (words: string) => lines().filter({ hasText: words }).textContent();
    await expect.poll(() => about('Your network allows calls')).toMatch(/^OK/);
    await expect.poll(() => about(`firewalls works (${shown(turn.urls.udp)})`)).toMatch(/^OK/);
    await expect.poll(() => about(`firewalls works (${shown(turn.urls.tcp)})`)).toMatch(/^OK/);
    await expect.poll(() => about(`firewalls (${shown(nobody)})`)).toMatch(/^Problem/);
    if (program) await discard(program);
    program = undefined;
  });

  test('a relay that refuses the credentials is distinguished from one that does not answer', async () => {
    await openTest({ TURN_URL: turn.urls.udp, TURN_SECRET: 'another secret' });
    await done();
    await lines().filter({ hasText: 'refused the connection' }).waitFor();
  });
});
