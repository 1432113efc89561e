import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { accountId, type OrgId, orgId, recordedMediaId, shareId } from '#domain/ids.ts';
import { newId } from '#server/platform/ids.ts';
import type { FilesOfHolder } from './may-read-media.ts';
import { MediaChecks } from './media-checks.ts';
import type { MediaAddress, MediaHolder } from './media-url.ts';

const files = Array.from({ length: 4 }, () => newId(recordedMediaId));
const org = newId(orgId);
const memberOf = (): MediaHolder => ({ session: crypto.randomUUID(), account: newId(accountId) });

let asked: FilesOfHolder[];
let deleted: Set<string>;
let ended: Set<MediaHolder>;
let checks: MediaChecks;
beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  deleted = new Set();
  ended = new Set();
  checks = new MediaChecks(async (of) => {
    asked.push(of);
    if (ended.has(of.holder)) throw new Error('ended');
    return new Set(of.media.filter((file) => !deleted.has(file)));
  });
});
afterEach(() => void vi.useRealTimers());

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
/** Sends a file, a piece each 200 ms, until it is closed. */
function send(holder: MediaHolder, file = 0, of: OrgId = org) {
  const address = { org: of, media: files[file], what: 'media', holder } as MediaAddress;
  const { recheck, close } = checks.open(address, performance.now());
  const sent = { pieces: 0, failure: undefined as unknown, close: () => close() };
  let isChecking = false;
  const timer = setInterval(async () => {
    if (isChecking) return;
    isChecking = true;
    try {
      await recheck();
      sent.pieces += 1;
    } catch (error) {
      sent.failure = error;
      clearInterval(timer);
      close();
    }
    isChecking = false;
  }, 200);
  sent.close = () => {
    clearInterval(timer);
    close();
  };
  return sent;
}

test('R26-B7: all files that a member has open cost two checks a second', async () => {
  const members = Array.from({ length: 10 }, memberOf);
  const sent = members.flatMap((member) =>
    Array.from({ length: 40 }, (_, n) => send(member, n % 4)),
  );
  await pass(10_000);
  expect(asked.length).toBeGreaterThan(10 * 10);
  expect(asked.length).toBeLessThanOrEqual(10 * 20);
  expect(Math.min(...sent.map(({ pieces }) => pieces))).toBeGreaterThan(40);
});

test('R26-B7: checks of an organization have a rate, and hold up no other one, nor shares its members', async () => {
  for (let n = 0; n < 300; n += 1) send({ share: newId(shareId) });
  const [member, other] = [send(memberOf()), send(memberOf(), 0, newId(orgId))];
  await pass(10_000);
  expect(asked.filter(({ holder }) => 'share' in holder).length).toBeLessThanOrEqual(50 + 500);
  expect([member.pieces, other.pieces]).toEqual([50, 50]);
});

test('R26-B7: within a second, all files end with the session that they are read by, and no others', async () => {
  const [gone, there] = [memberOf(), memberOf()];
  const [end, stay] = [gone, there].map((member) =>
    Array.from({ length: 20 }, (_, n) => send(member, n % 4)),
  );
  await pass(3_300);
  ended.add(gone);
  await pass(1_000);
  expect(end?.filter(({ failure }) => failure === undefined)).toEqual([]);
  expect(stay?.filter(({ failure }) => failure !== undefined)).toEqual([]);
});

test('R26-B7: a file that is deleted ends alone, also for files that were opened between two checks', async () => {
  const member = memberOf();
  const first = send(member, 0);
  await pass(600);
  const second = send(member, 1);
  await pass(100);
  deleted.add(`${files[1]}`);
  await pass(1_000);
  expect([first.failure, second.failure]).toEqual([
    undefined,
    expect.objectContaining({ code: 'not_found' }),
  ]);
});

test('R26-B7: files that are closed cost nothing, and are forgotten', async () => {
  const share = { share: newId(shareId) };
  const sent = Array.from({ length: 100 }, (_, n) => send(n === 0 ? share : memberOf()));
  await pass(400);
  for (const { close } of sent) close();
  await pass(5_000);
  expect(asked).toEqual([]);
  // A file that is opened again is checked anew.
  send(share);
  await pass(600);
  expect(asked).toHaveLength(1);
});
