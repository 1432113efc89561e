import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { callId, orgId, roomId } from '#domain/ids.ts';
import { newId } from '#server/platform/ids.ts';
import { newPerson } from './live-person.ts';
import { LiveSession } from './live-session.ts';
import { PanelGreetings } from './panel-state.ts';

const claims = { kind: 'staff', orgId: newId(orgId), roomId: newId(roomId) };
let call: { id: string; startedAt: string } | null;
let greetings: PanelGreetings;
let greeted: string[];
beforeEach(() => {
  vi.useFakeTimers();
  call = { id: newId(callId), startedAt: new Date().toISOString() };
  greeted = [];
  const database = { connection: async () => [] };
  const log = { error: () => undefined };
  // One panel, and then one a second.
  const config = { RATE_LIMIT_SCALE: 0.02 };
  greetings = new PanelGreetings({ config, database, log } as never, () => call as never);
});
afterEach(() => {
  vi.useRealTimers();
});

/** A panel of this account with a socket, whose messages' types are noted. */
function panelOf(accountId: string) {
  const person = newPerson({ claims: { ...claims, accountId }, tenant: {} } as never);
  const session = new LiveSession('panel', 'org');
  const send = (text: string) => {
    if (text.includes('"checklist"')) greeted.push(accountId);
  };
  const socket = { send, close: () => undefined, bufferedAmount: 0 } as never;
  session.attach(socket, {} as never, 0);
  person.sessions.set('panel', session);
  return { session, socket, greet: () => void greetings.greetInTurn(person) };
}
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test('R9-3: each panel that is greeted as a call starts costs its organization a turn, and accounts take turns', async () => {
  for (let n = 0; n < 3; n += 1) panelOf('flood').greet();
  panelOf('colleague').greet();
  await pass(0);
  expect(greeted).toEqual(['flood']);
  await pass(1_000);
  await pass(1_000);
  expect(greeted).toEqual(['flood', 'flood', 'colleague']);
});

test('R9-3: a panel that waits is greeted once, whatever calls start meanwhile', async () => {
  panelOf('first').greet();
  const { greet } = panelOf('waiting');
  for (let n = 0; n < 5; n += 1) greet();
  await pass(20_000);
  expect(greeted).toEqual(['first', 'waiting']);
});

test('R9-3: a panel whose page is gone, or whose call has ended, costs nothing while it waits', async () => {
  panelOf('first').greet();
  const gone = panelOf('gone');
  gone.greet();
  gone.session.detach(gone.socket);
  panelOf('next').greet();
  await pass(1_000);
  expect(greeted).toEqual(['first', 'next']);
  call = null;
  panelOf('late').greet();
  await pass(1_000);
  expect(greeted).toEqual(['first', 'next']);
});
