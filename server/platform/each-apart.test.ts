import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { OrgId } from '#domain/ids.ts';
import { eachApart } from './each-apart.ts';

test('work that fails for one organization is done for the others, and logged', async () => {
  const lines: string[] = [];
  const log = pino({}, { write: (line) => lines.push(line) });
  const all = ['a', 'b', 'c'].map((name) => ({ orgId: name as OrgId }));
  const done: string[] = [];
  const work = async ({ orgId }: { orgId: OrgId }) => {
    if (orgId === 'b') throw new Error('its share is used up');
    done.push(orgId);
  };
  expect(await eachApart(log, all, work, 'could not be done')).toBe(2);
  expect(done).toEqual(['a', 'c']);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { orgId: 'b', msg: 'could not be done', err: { message: 'its share is used up' } },
  ]);
});
