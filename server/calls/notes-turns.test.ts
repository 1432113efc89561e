import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { orgId, roomId } from '#domain/ids.ts';
import { newId } from '#server/platform/ids.ts';
import { newPerson } from './live-person.ts';
import { LiveSession } from './live-session.ts';
import { PanelGreetings } from './panel-state.ts';

const kilobyte = 1024;
const megabyte = 1024 * kilobyte;
const claims = { kind: 'staff', orgId: newId(orgId), roomId: newId(roomId) };

/** Stored bytes of the notes of each call. */
let stored: Map<string, number>;
/** Bytes of notes that were read, by call. */
let read: Map<string, number>;
let looks: number;
/** What transactions await before they begin. */
let gate: Promise<void>;
let greetings: PanelGreetings;
beforeEach(() => {
  vi.useFakeTimers();
  stored = new Map();
  read = new Map();
  looks = 0;
  gate = Promise.resolve();
  const notes = {
    gateOf: () => (work: () => Promise<unknown>) => gate.then(work),
    use: async (_org: string, call: string) => {
      const bytes = stored.get(call) ?? 0;
      read.set(call, (read.get(call) ?? 0) + bytes);
      return { update: new Uint8Array(bytes), vector: new Uint8Array(4) };
    },
  };
  const services = {
    config: { RATE_LIMIT_SCALE: 1 },
    database: { connection: async () => [] },
    log: { error: () => undefined },
    notes,
  };
  greetings = new PanelGreetings(services as never, ({ admitted }) => admitted as never);
});
afterEach(() => {
  vi.useRealTimers();
});

/** A transaction on the stored sizes. */
const tx = {
  tenant: claims,
  run: async ({ name }: { name: string }, [, call]: string[]) => {
    looks += 1;
    if (name === 'lock_call_notes') return [{ has_notes: true }];
    return [{ id: null, update: null, bytes: String(stored.get(call ?? '')), count: 1 }];
  },
};
const tenant = {
  orgId: claims.orgId,
  transaction: (
    use: (at: unknown) => Promise<unknown>,
    { through }: { through: (work: () => Promise<unknown>) => Promise<unknown> },
  ) => through(() => use(tx)),
};

/** Opens this account's panel of a call with notes of so many bytes. */
function open(accountId: string, call: string, bytes: number) {
  stored.set(call, bytes);
  // Also the call that runs in its room, of which only the id matters.
  const admitted = { id: call, claims: { ...claims, roomId: call, accountId }, tenant };
  const session = new LiveSession('panel', 'org');
  const socket = { send: () => undefined, close: () => undefined, bufferedAmount: 0 } as never;
  session.attach(socket, {} as never, 0);
  const greeted = greetings.greet(newPerson(admitted as never), session);
  return { greeted, close: () => session.detach(socket) };
}
/** Lets no transaction begin until the result is called. */
function closeGate(): () => void {
  const opened = Promise.withResolvers<void>();
  gate = opened.promise;
  return opened.resolve;
}
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
/** Bytes of the notes of all calls, as they are sent. */
const sent = () => [...read.values()].reduce((sum, bytes) => sum + (bytes * 4) / 3, 0);

test('R10-5: the notes of many calls are read at one rate, however many panels ask at the same moment', async () => {
  for (let n = 0; n < 100; n += 1) open(`account ${n % 10}`, `call ${n % 50}`, 1.8 * megabyte);
  await pass(0);
  expect(sent()).toBeGreaterThan(0);
  expect(sent()).toBeLessThanOrEqual(4 * megabyte);
  await pass(10_000);
  expect(sent()).toBeGreaterThan(35 * megabyte);
  expect(sent()).toBeLessThanOrEqual(44 * megabyte);
});

test('R10-5: notes that are longer than the burst delay the next ones by all of their length', async () => {
  for (let n = 0; n < 10; n += 1) open('account', `call ${n}`, 6 * megabyte);
  await pass(10_000);
  expect(sent()).toBeLessThanOrEqual((4 + 8 + 40) * megabyte);
});

test('R10-5: short notes do not wait for the long ones of their organization', async () => {
  for (let n = 0; n < 50; n += 1) open('flood', `long ${n}`, 1.8 * megabyte);
  await pass(0);
  for (let n = 0; n < 20; n += 1) open('colleague', `short ${n}`, 10 * kilobyte);
  await pass(0);
  expect([...read.keys()].filter((call) => call.startsWith('short'))).toHaveLength(20);
});

test('R10-5: short notes have a rate, too, and accounts take turns', async () => {
  const flood = Array.from({ length: 300 }, (_, n) => open(`flood ${n % 6}`, `call ${n}`, 23_000));
  await pass(0);
  expect(sent()).toBeLessThanOrEqual(5 * megabyte);
  for (const panel of flood.slice(0, 150)) panel.close();
  open('colleague', 'own', 23_000);
  await pass(1000);
  expect(read.has('own')).toBe(true);
  expect(sent()).toBeLessThanOrEqual(10 * megabyte);
});

test('R10-5: notes that have grown since their turn came take one by their new length', async () => {
  open('first', 'first', 3 * megabyte);
  for (let n = 0; n < 40; n += 1) open('account', `call ${n}`, 40 * kilobyte);
  await pass(0);
  const begin = closeGate();
  // Enough for the turns of all.
  await pass(2_000);
  for (let n = 0; n < 40; n += 1) stored.set(`call ${n}`, 1.8 * megabyte);
  begin();
  await pass(0);
  expect(sent()).toBeLessThanOrEqual((4 + 8) * megabyte);
  await pass(10_000);
  expect(sent()).toBeGreaterThan(30 * megabyte);
  expect(sent()).toBeLessThanOrEqual((4 + 8 + 40) * megabyte);
});

test('R10-5: what people type while a panel waits does not cost its turn', async () => {
  open('first', 'first', 3 * megabyte);
  open('account', 'typed', 1.8 * megabyte);
  await pass(500);
  expect(read.has('typed')).toBe(false);
  stored.set('typed', 1.8 * megabyte + 2 * kilobyte);
  await pass(500);
  expect(read.has('typed')).toBe(true);
  // One panel has waited, and each transaction looks up a lock and a size.
  expect(looks).toBe(3 * 2);
});

test('R10-5: nothing is looked up for a panel that closed while it waited for its transaction', async () => {
  const begin = closeGate();
  const closed = open('account', 'closed', 10 * kilobyte);
  open('account', 'open', 10 * kilobyte);
  await pass(0);
  closed.close();
  begin();
  await pass(0);
  expect([...read.keys()]).toEqual(['open']);
  // Its lock and its size.
  expect(looks).toBe(2);
});

test('R10-5: a panel that closes while it waits for its turn costs its organization nothing', async () => {
  const waiting = Array.from({ length: 40 }, (_, n) => open('flood', `call ${n}`, 2.9 * megabyte));
  await pass(0);
  for (const panel of waiting) panel.close();
  open('colleague', 'own', 2.9 * megabyte);
  await pass(1000);
  expect([...read.keys()]).toEqual(['call 0', 'own']);
});

test('R10-5: a panel whose notes wait for their turn is heard meanwhile, so that its end is noticed', async () => {
  open('first', 'first', 3 * megabyte);
  const { greeted } = open('account', 'long', 1.8 * megabyte);
  await greeted;
  expect([...read.keys()]).toEqual(['first']);
  await pass(1000);
  expect([...read.keys()]).toEqual(['first', 'long']);
});
