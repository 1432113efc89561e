import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { OrganizationTime, type Payer, type WorkKind } from './organization-time.ts';

const open = new AbortController().signal;
let time: OrganizationTime;
let begun: Record<string, number>;
beforeEach(() => {
  vi.useFakeTimers();
  time = new OrganizationTime(1);
  begun = {};
});
afterEach(() => {
  vi.useRealTimers();
});

function ask(kind: WorkKind, times: number, payer: Payer = 'staff', who = 'ada'): void {
  const orgId = 'acme';
  for (let n = 0; n < times; n += 1) {
    void time.turn(orgId, payer, kind, who, open).then(() => {
      begun[kind] = (begun[kind] ?? 0) + 1;
    });
  }
}
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
/** Uses up what may be done at once. */
async function useUp(payer: Payer = 'staff'): Promise<void> {
  while (time.starts('acme', payer, payer === 'staff' ? 'request' : 'part'));
  await pass(0);
}

test('R26-B1: all kinds of work of an organization together have one time', async () => {
  await useUp();
  for (const kind of ['request', 'message', 'phrase'] as const) ask(kind, 4_000);
  await pass(1_000);
  const { request = 0, message = 0, phrase = 0 } = begun;
  const ms = request * 2.5 + message * 0.045 + phrase * 1.5;
  expect(ms).toBeGreaterThan(230);
  expect(ms).toBeLessThan(260);
});

test('R26-B1: no flood holds up another kind of work, or what another account does', async () => {
  await useUp();
  ask('message', 5_000);
  ask('request', 1);
  ask('message', 1, 'staff', 'bea');
  await pass(100);
  expect(begun.request).toBe(1);
  expect(time.waiting('acme', 'staff', 'message', 'bea')).toBe(0);
  expect(time.waiting('acme', 'staff', 'message', 'ada')).toBeGreaterThan(4_000);
});

test('R26-B1: guests use up neither the time of the staff nor that of other organizations', async () => {
  await useUp('others');
  ask('message', 100, 'others');
  expect(time.starts('acme', 'others', 'message')).toBe(false);
  expect(time.starts('acme', 'staff', 'request')).toBe(true);
  expect(time.starts('globex', 'others', 'message')).toBe(true);
});

test('requests have half of the time while hundreds of people of the same organization speak', async () => {
  await useUp();
  for (let speaker = 0; speaker < 240; speaker += 1) ask('phrase', 20, 'staff', `${speaker}`);
  await pass(1_000);
  ask('request', 45);
  await pass(1_000);
  expect(begun.request).toBe(45);
  expect(begun.phrase).toBeGreaterThan(100);
});

test('what waits no longer costs nothing', async () => {
  await useUp();
  const closing = new AbortController();
  const waited = time.turn('acme', 'staff', 'request', 'ada', closing.signal);
  closing.abort();
  expect(await waited).toBe(false);
  expect(time.waiting('acme', 'staff', 'request', 'ada')).toBe(0);
});
