import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { OrgId } from '#domain/ids.ts';
import { organizationRounds } from './organization-rounds.ts';

const log = pino({ level: 'silent' });
const items = (names: string) =>
  names.split(' ').map((name) => ({ orgId: name.charAt(0) as OrgId, name }));

/** Work that waits for `finish` where it is slow. */
function newWork(slow: string) {
  const started: string[] = [];
  const { promise, resolve: finish } = Promise.withResolvers<void>();
  const work = async ({ name }: { name: string }) => {
    started.push(name);
    if (name.startsWith(slow)) await promise;
  };
  return { started, work, finish };
}

test('R6-9: a round ends without a slow organization, and leaves the rest of its items', async () => {
  const round = organizationRounds();
  const { started, work, finish } = newWork('a');
  const all = items('a1 a2 b1 b2 c1 d1 e1');
  expect(await round(log, all, work, 'failed')).toBe(5);
  expect(started.toSorted()).toEqual(['a1', 'b1', 'b2', 'c1', 'd1', 'e1']);
  // Later rounds do not start on it while its item runs.
  expect(await round(log, all, work, 'failed')).toBe(5);
  expect(started.filter((name) => name.startsWith('a'))).toEqual(['a1']);
  finish();
  await expect.poll(() => round(log, items('a2'), work, 'failed')).toBe(1);
  expect(started.at(-1)).toBe('a2');
});

test('items of one organization are handled one after the other, organizations side by side', async () => {
  const running: string[] = [];
  let most = 0;
  const work = async ({ orgId }: { orgId: OrgId }) => {
    expect(running).not.toContain(orgId);
    running.push(orgId);
    most = Math.max(most, running.length);
    await new Promise(setImmediate);
    running.splice(running.indexOf(orgId), 1);
  };
  const all = items('a1 a2 a3 b1 b2 c1 c2 d1 e1 f1');
  expect(await organizationRounds()(log, all, work, 'failed')).toBe(all.length);
  expect(most).toBe(4);
});

test('an item that fails keeps neither the others of its organization nor other organizations', async () => {
  const round = organizationRounds();
  const work = async ({ name }: { name: string }) => {
    if (name === 'a1') throw new Error('a1 failed');
  };
  for (let n = 0; n < 2; n += 1)
    expect(await round(log, items('a1 a2 b1'), work, 'failed')).toBe(2);
});
