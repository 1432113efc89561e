import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCall, updateCall } from '#domain/calls/contract.ts';
import { createPlaybook } from '#domain/playbooks/contract.ts';
import { createRoom } from '#domain/rooms/contract.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newOrganization } from '#server/testing/visitor.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

/** Starts and ends calls of a new organization, each with 200 items of this text. Returns them, newest first. */
async function callsWith(text: string, count: number) {
  const ada = await newOrganization(app);
  const checklistItems = Array.from({ length: 200 }, () => ({ text }));
  const playbook = await ada.call(createPlaybook, { body: { title: 'Long', checklistItems } });
  const body = { topic: 'Kick-off', playbookId: playbook.id };
  const { id: roomId } = await ada.call(createRoom, { body });
  const calls: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const { id } = await ada.call(startCall, { body: { roomId } });
    await ada.call(updateCall, { params: { id }, body: { endForEveryone: true } });
    calls.unshift(id);
  }
  return { ada, calls, roomId };
}

const idsOf = (body: unknown) => (body as { id: string }[]).map(({ id }) => id);
const nextOf = (link: unknown) => /^<(.+)>; rel="next"$/.exec(String(link))?.[1] ?? '';

test.each([
  ['2,000 items', 'x', 11, 10],
  ['a megabyte of items', '語'.repeat(500), 4, 3],
])(
  'R13-4: a page of calls ends after %s, and the next one continues',
  async (_, text, count, most) => {
    const { ada, calls, roomId } = await callsWith(text, count);
    for (const path of ['/api/calls?limit=200', `/api/calls?limit=200&roomId=${roomId}`]) {
      const first = await ada.send('GET', path);
      expect(idsOf(first.body)).toEqual(calls.slice(0, most));
      const second = await ada.send('GET', nextOf(first.headers.link));
      expect(idsOf(second.body)).toEqual(calls.slice(most));
      expect(second.headers.link).toBeUndefined();
    }
  },
);
