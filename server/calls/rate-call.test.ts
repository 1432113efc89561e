import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { listCalls, readCall, startCall, updateCall } from '#domain/calls/contract.ts';
import { createRoom } from '#domain/rooms/contract.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { organizationToken, program } from '#server/testing/token-things.ts';
import { newMember, newOrganization, runningCall, type Visitor } from '#server/testing/visitor.ts';

let app: TestApp;
let ada: Awaited<ReturnType<typeof newOrganization>>;
let started: Awaited<ReturnType<typeof runningCall>>;
beforeAll(async () => {
  app = await openTestApp();
});
beforeEach(async () => {
  ada = await newOrganization(app);
  started = await runningCall(ada);
});
afterAll(() => app.close());

const rate = (visitor: Visitor, body: object) =>
  visitor.call(updateCall, { params: { id: started.call.id }, body });

test('each rater has one score; a new one replaces it, and the newest is shown', async () => {
  const ben = await newMember(app, ada, 'AGENT');
  await rate(ada, { npsScore: 3, npsFeedback: 'Slow.' });
  await rate(ben, { npsScore: 9 });
  expect(await rate(ada, { npsScore: 10, npsFeedback: '' })).toMatchObject({
    npsScore: 10,
    npsFeedback: null,
  });
  const { rows } = await app.owner.query(
    'select account_id, score, feedback from ratings where call_id = $1 order by score',
    [started.call.id],
  );
  expect(rows).toEqual([
    { account_id: ben.user.id, score: 9, feedback: null },
    { account_id: ada.user.id, score: 10, feedback: null },
  ]);
});

test('R21-6: the organization’s tokens have one score of a call, and the newest 200 ratings are read', async () => {
  const { id } = started.call;
  for (const npsScore of [2, 8]) {
    const { token } = await organizationToken(ada, ['calls:write']);
    const answer = await program(app, token)('PUT', `/api/calls/${id}`, { npsScore });
    expect(answer).toMatchObject({ status: 200, body: { npsScore } });
  }
  await rate(ada, { npsScore: 4 });
  const { rows } = await app.owner.query(
    'select score from ratings where call_id = $1 order by score',
    [id],
  );
  expect(rows).toEqual([{ score: 4 }, { score: 8 }]);
  await app.owner.query(
    `insert into ratings (id, org_id, call_id, kind, score)
      select gen_random_uuid(), $1, $2, 'guest', 10 from generate_series(1, 300)`,
    [ada.user.orgId, id],
  );
  expect((await ada.call(readCall, { params: { id } })).ratings).toHaveLength(200);
});

test('a customer’s score is stored separately from that of staff', async () => {
  await rate(ada, { npsScore: 4 });
  await app.owner.query(
    `insert into ratings (id, org_id, call_id, kind, score)
      values (gen_random_uuid(), $1, $2, 'guest', 10)`,
    [ada.user.orgId, started.call.id],
  );
  expect((await ada.call(readCall, { params: { id: started.call.id } })).npsScore).toBe(4);
});

test.each([
  [11, 'Please choose a score from 0 to 10'],
  [-1, 'Please choose a score from 0 to 10'],
  [7.5, 'Please choose a score from 0 to 10'],
  ['9', 'Please choose a score from 0 to 10'],
  [null, 'Please choose a score from 0 to 10'],
])(
  'a score of %j is refused with an error message, and none is stored',
  async (npsScore, message) => {
    const reply = await ada.send('PUT', `/api/calls/${started.call.id}`, { npsScore });
    expect(reply).toMatchObject({ status: 400, body: { message, errors: [{ path: 'npsScore' }] } });
    const { rows } = await app.owner.query('select 1 from ratings where call_id = $1', [
      started.call.id,
    ]);
    expect(rows).toEqual([]);
  },
);

test.each([0, 10])('a score of %i is stored', async (npsScore) => {
  expect((await rate(ada, { npsScore })).npsScore).toBe(npsScore);
});

test('feedback without a score is not stored', async () => {
  expect(await rate(ada, { npsFeedback: 'words' })).toMatchObject({
    npsScore: null,
    npsFeedback: null,
  });
});

test('the answer for a call has the fields of the specification', async () => {
  const { playbook, room } = started;
  const [first] = playbook.checklistItems;
  await rate(ada, {
    checklistStateJson: { [`${first?.id}`]: true },
    notesSnapshot: 'n',
    npsScore: 7,
  });
  const [call] = await ada.call(listCalls);
  expect(call).toEqual({
    id: started.call.id,
    roomId: room.id,
    startedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    endedAt: null,
    durationSec: null,
    checklistStateJson: Object.fromEntries(
      playbook.checklistItems.map(({ id }) => [id, id === first?.id]),
    ),
    checklistItems: playbook.checklistItems,
    notesSnapshot: 'n',
    npsScore: 7,
    npsFeedback: null,
    createdAt: expect.any(String),
    participantsJson: [],
    agent: { id: ada.user.id, name: expect.any(String) },
    room: { topic: 'Kick-off' },
  });
});

test('ids that are on no checklist are dropped from the map and not stored', async () => {
  const foreign = '01900000-0000-7000-8000-000000000000';
  const { checklistStateJson } = await rate(ada, { checklistStateJson: { [foreign]: true } });
  expect(checklistStateJson).not.toHaveProperty(foreign);
  const reply = await ada.send('PUT', `/api/calls/${started.call.id}`, {
    checklistStateJson: { 'not an id': true },
  });
  expect(reply.status).toBe(400);
});

test('the list can be filtered by room, and is paged by key', async () => {
  const { id: other } = await ada.call(createRoom, { body: { topic: 'Other' } });
  const theirs = await ada.call(startCall, { body: { roomId: other } });
  expect((await ada.call(listCalls, { query: `?roomId=${other}` })).map(({ id }) => id)).toEqual([
    theirs.id,
  ]);
  const first = await ada.send('GET', '/api/calls?limit=1');
  expect(first.body).toMatchObject([{ id: theirs.id }]);
  const next = /^<([^>]+)>; rel="next"$/.exec(String(first.headers.link))?.[1];
  expect((await ada.send('GET', next ?? '')).body).toMatchObject([{ id: started.call.id }]);
});
