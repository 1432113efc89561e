import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startCall } from '#domain/calls/contract.ts';
import { createPlaybook, updatePlaybook } from '#domain/playbooks/contract.ts';
import { createRoom } from '#domain/rooms/contract.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newOrganization } from '#server/testing/visitor.ts';

// Before the pool opens: each of its clients keeps the method of its first query.
const query = vi.spyOn(pg.Client.prototype, 'query');
let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(async () => {
  query.mockRestore();
  await app.close();
});

/** Returns the result, and the statements that stored playbooks or calls. */
async function inserts<T>(run: () => Promise<T>): Promise<[T, string[]]> {
  query.mockClear();
  const result = await run();
  const texts = query.mock.calls.map(([sent]) => {
    const { text = '' } = Object(sent) as { text?: string };
    return text;
  });
  return [result, texts.filter((text) => /insert into \W*(playbook|call)/.test(text)).sort()];
}

test('R13-5: the statements that store a checklist are the same for two items and for 200', async () => {
  const ada = await newOrganization(app);
  const storing = async (count: number) => {
    const texts = Array.from({ length: count }, (_, n) => `Item ${n}, "a\\b" {c}`);
    const checklistItems = texts.map((text) => ({ text }));
    const [playbook, created] = await inserts(() =>
      ada.call(createPlaybook, { body: { title: 'P', checklistItems } }),
    );
    expect(playbook.checklistItems.map(({ text, order }) => [text, order])).toEqual(
      texts.map((text, n) => [text, n]),
    );
    const reversed = playbook.checklistItems.map(({ id, text }) => ({ id, text })).reverse();
    const params = { id: playbook.id };
    const edit = { title: 'Q', description: '', version: 1, checklistItems: reversed };
    const [edited, changed] = await inserts(() => ada.call(updatePlaybook, { params, body: edit }));
    expect(edited.checklistItems.map(({ id, text }) => ({ id, text }))).toEqual(reversed);
    const room = await ada.call(createRoom, { body: { topic: 'R', playbookId: playbook.id } });
    const [call, started] = await inserts(() => ada.call(startCall, { body: { roomId: room.id } }));
    expect(call.checklistItems).toEqual(edited.checklistItems);
    return { created, changed, started };
  };
  const few = await storing(2);
  expect(few.created).toHaveLength(2);
  expect(few.changed).toHaveLength(1);
  expect(few.started).toHaveLength(2);
  expect(await storing(200)).toEqual(few);
});
