import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { prepareRoom } from '../support/api.ts';
import { openBrowser, type Person } from '../support/browser.ts';
import { relayOnly, relayProtocols } from '../support/connections.ts';
import { seesMoving } from '../support/pixels.ts';
import { discard, type Program, startProgram } from '../support/program.ts';
import { hasTurnServer, startTurnServer, type TurnServer } from '../support/turn-server.ts';

/** Two participants whose only connection is the TURN server. */
const remoteVideo = 'li.tile:not([data-own]) video';
const secret = 'the secret of the TURN server';
let turn: TurnServer;
let program: Program | undefined;
const open: Person[] = [];

async function meet(env: Record<string, string>, topic: string): Promise<[Person, Person]> {
  program = await startProgram(env);
  const { guestUrl } = await prepareRoom(program.url, topic);
  const people: [Person, Person] = [
    await openBrowser({ camera: 'red', width: 640 }),
    await openBrowser({ camera: 'blue', width: 640 }),
  ];
  open.push(...people);
  for (const [at, { page }] of people.entries()) {
    await page.addInitScript(relayOnly);
    await page.goto(guestUrl);
    await page.getByLabel('Your name').fill(at === 0 ? 'Ada' : 'Bo');
    await page.getByRole('button', { name: 'Join', exact: true }).click();
  }
  return people;
}

async function part(): Promise<void> {
  await Promise.all(open.splice(0).map((person) => person.close()));
  if (program) await discard(program);
  program = undefined;
}

describe.skipIf(!hasTurnServer())('by relay only', () => {
  beforeAll(async () => {
    turn = await startTurnServer(secret);
  });
  afterAll(async () => {
    await part();
    await turn?.stop();
  });

  test('two participants see each other’s moving video through the TURN server by UDP', async () => {
    const [ada, bo] = await meet({ TURN_URL: turn.urls.udp, TURN_SECRET: secret }, 'Relay');
    await seesMoving(ada.page, remoteVideo, 'blue');
    await seesMoving(bo.page, remoteVideo, 'red');
    await expect.poll(() => relayProtocols(ada.page)).toEqual(['udp']);
    await part();
  });

  test('of several TURN_URLs, the one that answers is used, by TCP', { tags: 'full' }, async () => {
    const nobody = 'turn:127.0.0.1:9?transport=udp';
    const env = { TURN_URL: `${nobody}, ${turn.urls.tcp}`, TURN_SECRET: secret };
    const [ada, bo] = await meet(env, 'Several');
    await seesMoving(ada.page, remoteVideo, 'blue');
    await seesMoving(bo.page, remoteVideo, 'red');
    await expect.poll(() => relayProtocols(ada.page)).toEqual(['tcp']);
    await part();
  });

  test('with a wrong TURN_SECRET the videos do not connect, and a notice says what to do', {
    tags: 'full',
  }, async () => {
    const env = { TURN_URL: turn.urls.udp, TURN_SECRET: 'another secret' };
    const [ada, bo] = await meet(env, 'Wrong secret');
    for (const { page } of [ada, bo]) {
      await page.getByText(/^We can’t connect you to (Ada|Bo)\./).waitFor({ timeout: 60_000 });
    }
    await expect.poll(() => relayProtocols(ada.page)).toEqual([]);
    await part();
  });
});
