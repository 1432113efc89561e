import { expect, test } from 'vitest';
import { orgId } from '#domain/ids.ts';
import { newId } from '#server/platform/ids.ts';
import { Checks } from './asserted.ts';
import { readInTurn } from './read-in-turn.ts';

const settings = {
  entityId: 'https://idp.example/entity',
  ssoUrl: 'https://idp.example/sso',
  certificates: [],
  ourEntityId: 'https://own.example/metadata',
  answerUrl: 'https://own.example/acs',
};

test('B2: responses of an address that sent a wrong one wait for those of others, also of other organizations', async () => {
  const [ours, theirs] = [newId(orgId), newId(orgId)];
  const order: string[] = [];
  const read = (org: typeof ours, address: string) =>
    readInTurn({ orgId: org, address }, { settings, given: '' }, new Checks()).catch(() =>
      order.push(address),
    );
  await read(ours, '192.0.2.1');
  const flood = Array.from({ length: 5 }, () => read(ours, '192.0.2.1'));
  await Promise.all([...flood, read(ours, '192.0.2.2'), read(theirs, '192.0.2.3')]);
  expect(order.slice(0, 2)).toEqual(['192.0.2.1', '192.0.2.1']);
  expect(order.slice(2, 4).sort()).toEqual(['192.0.2.2', '192.0.2.3']);
});
