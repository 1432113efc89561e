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

/** Starts and ends calls of a new organization, each with items of this text. Returns them, newest first. */
async function callsWith(text: string, count: number, items = 200) {
  const ada = await newOrganization(app);
  const checklistItems = Array.from({ length: items }, () => ({ text }));
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

test('R32-C2: a page of calls ends after 1.5 MB of notes and feedback as JSON, and the next one continues', async () => {
  const { ada, calls, roomId } = await callsWith('x', 34, 1);
  // A control character takes six bytes.
  const long = 'repeat(chr(1), 5000)';
  await app.owner.query(`update calls set notes_snapshot = ${long} where room_id = $1`, [roomId]);
  await app.owner.query(
    `insert into ratings (id, org_id, call_id, kind, score, feedback)
      select gen_random_uuid(), org_id, id, 'staff', 1, ${long} from calls where room_id = $1`,
    [roomId],
  );
  const first = await ada.send('GET', '/api/calls?limit=200');
  expect(idsOf(first.body)).toEqual(calls.slice(0, 32));
  const second = await ada.send('GET', nextOf(first.headers.link));
  expect(idsOf(second.body)).toEqual(calls.slice(32));
});

test('R32-C2: of a call’s ratings, a megabyte as JSON is returned, the newest', async () => {
  const { ada, calls } = await callsWith('x', 1, 1);
  await app.owner.query(
    `insert into ratings (id, org_id, call_id, kind, score, feedback, updated_at)
      select gen_random_uuid(), org_id, id, 'guest', n, repeat(chr(1), 33000), now() - n * interval '1 minute'
      from calls, generate_series(0, 10) n where id = $1`,
    [calls[0]],
  );
  const { body } = await ada.send('GET', `/api/calls/${calls[0]}`);
  const { ratings } = body as { ratings: { score: number }[] };
  expect(ratings.map(({ score }) => score)).toEqual([0, 1, 2, 3, 4]);
});
