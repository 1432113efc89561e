import { afterAll, beforeAll, expect, test } from 'vitest';
import { addActionItem, listActionItems } from '#domain/action-items/contract.ts';
import { readPersonalRoom, renamePersonalRoom } from '#domain/links/contract.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newMember, newOrganization, runningCall } from '#server/testing/visitor.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

test('R28-A8: an erased member’s name is neither in their own room, nor in its addresses, nor at action items', async () => {
  const [ada, ben] = [await newOrganization(app), await newOrganization(app)];
  const agent = await newMember(app, ada, 'AGENT');
  const { id } = agent.user;
  await app.owner.query(`update accounts set first_name = 'Zyx', last_name = $2 where id = $1`, [
    ...[id, `Qwert ${id}`],
  ]);
  const { slug, roomId } = await agent.call(readPersonalRoom);
  const second = `zyx-${id.slice(-12)}`;
  await agent.call(renamePersonalRoom, { body: { slug: second } });
  const { call } = await runningCall(ada);
  const params = { id: call.id };
  for (const owner of [`zyx Qwert ${id}`, 'Zyx'])
    await ada.call(addActionItem, { params, body: { title: 'Send the offer', owner } });

  await ada.send('POST', '/api/privacy/erase', { userId: id });
  const { rows } = await app.owner.query('select topic, was_personal_of from rooms where id = $1', [
    roomId,
  ]);
  expect(rows).toEqual([{ topic: 'Deleted person', was_personal_of: null }]);
  const slugs = await app.owner.query('select from room_slugs where room_id = $1', [roomId]);
  expect(slugs.rowCount).toBe(0);
  const { actionItems } = await ada.call(listActionItems, { params });
  // A first name alone may be someone else's.
  expect(actionItems.map(({ owner }) => owner).sort()).toEqual(['Zyx', null]);
  const former = await app.owner.query('select from former_members where account_id = $1', [id]);
  expect(former.rowCount).toBe(0);
  for (const taken of [slug, second])
    expect(await ben.send('PUT', '/api/personal-room', { slug: taken })).toMatchObject({
      status: 409,
      body: { code: 'slug_taken' },
    });
});
