import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { OrgId } from '#domain/ids.ts';
import type { Tenant } from '#server/platform/access.ts';
import { changingMembers, noteChangedMembers } from './member-turns.ts';

const organization = () => ({ orgId: randomUUID() as OrgId }) as Tenant;

test('R28-B1: the changes of an organization run one at a time, and those of others beside them', async () => {
  const [acme, other] = [organization(), organization()];
  const order: string[] = [];
  const released = Promise.withResolvers<void>();
  const first = changingMembers(acme, async () => {
    order.push('first begins');
    await released.promise;
    order.push('first ends');
  });
  const second = changingMembers(acme, async () => order.push('second'));
  await changingMembers(other, async () => order.push('another organization'));
  released.resolve();
  await Promise.all([first, second]);
  expect(order).toEqual(['first begins', 'another organization', 'first ends', 'second']);
});

test('R28-B1: after many members the next change waits, and none of another organization', async () => {
  const [acme, other] = [organization(), organization()];
  const order: string[] = [];
  await changingMembers(acme, async () => noteChangedMembers(acme.orgId, 20_500));
  const next = changingMembers(acme, async () => order.push('next'));
  await changingMembers(other, async () => order.push('another organization'));
  await next;
  expect(order).toEqual(['another organization', 'next']);
});

test('a change that fails lets the next one run', async () => {
  const acme = organization();
  const failed = changingMembers(acme, () => Promise.reject(new Error('no')));
  const next = changingMembers(acme, async () => 'done');
  await expect(failed).rejects.toThrow('no');
  expect(await next).toBe('done');
});
