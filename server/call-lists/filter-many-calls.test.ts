import { afterAll, beforeAll, expect, test } from 'vitest';
import { countCalls, type ListedCall } from '#domain/calls/contract.ts';
import { makeManyCalls } from '#server/testing/many-calls.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newOrganization } from '#server/testing/visitor.ts';

/** More than a filter sorts, and more than it looks at for one page. */
const calls = 24_000;

let app: TestApp;
let ada: Awaited<ReturnType<typeof newOrganization>>;
let room: string;
let agent: string;
beforeAll(async () => {
  app = await openTestApp();
  ada = await newOrganization(app);
  const orgId = ada.user.orgId ?? '';
  await makeManyCalls(app.ownerLogin, [{ orgId, calls, rooms: 3, agents: 4, days: 400 }], () => {});
  const { rows } = await app.owner.query<{ room_id: string; started_by: string }>(
    'select room_id, started_by from calls where org_id = $1 limit 1',
    [orgId],
  );
  room = rows[0]?.room_id ?? '';
  agent = rows[0]?.started_by ?? '';
}, 120_000);
afterAll(() => app.close());

/** The rows that a filter means, in an order, by plain SQL on what is stored. */
async function expected(where: string, order: string): Promise<string[]> {
  const { rows } = await app.owner.query<{ id: string }>(
    `select c.id from (
        select c.*, (c.started_at at time zone 'UTC')::date as day, r.score,
          coalesce((select bool_or(t.kind = 'guest') from attendances t where t.call_id = c.id), true) as counts
        from calls c left join ratings r on r.call_id = c.id and r.kind = 'staff'
        where c.org_id = '${ada.user.orgId}'
      ) c where ${where} order by ${order}`,
  );
  return rows.map(({ id }) => id);
}

test.each([
  ['sort=longest&roomId={room}', `room_id = '{room}'`, 'duration_sec desc, id desc'],
  ['sort=shortest&from=2020-01-01', 'true', 'duration_sec, id'],
  [
    'sort=lowest&agentId={agent}',
    `score is not null and counts and started_by = '{agent}'`,
    'score, id',
  ],
  ['score=detractors', 'score <= 6 and counts', 'day desc, id desc'],
  [
    'score=none&sort=oldest&roomId={room}',
    `(score is null or not counts) and room_id = '{room}'`,
    'day, id',
  ],
  ['guests=without', 'not counts', 'day desc, id desc'],
  ['search=review&sort=newest', 'true', 'day desc, id desc'],
  ['search=review 2&sort=highest', `score is not null and counts and topic`, 'score desc, id desc'],
])(
  'of many calls, %s has every call once, in its order',
  { tags: 'full', timeout: 60_000 },
  async (filter, where, order) => {
    const given = (text: string) => text.replaceAll('{room}', room).replaceAll('{agent}', agent);
    const inTopic = `room_id in (select id from rooms where topic like '%review 2%')`;
    const ids = await expected(given(where).replace('topic', inTopic), order);
    const found: string[] = [];
    let path: string | undefined = `/api/calls?limit=200&${given(filter)}`;
    for (let pages = 0; path !== undefined; pages += 1) {
      const { body, headers } = await ada.send('GET', path);
      found.push(...(body as ListedCall[]).map(({ id }) => id));
      path = /^<(.+)>; rel="next"$/.exec(String(headers.link))?.[1];
      expect(pages).toBeLessThan(2 + calls / 200);
    }
    expect(found.length).toBe(ids.length);
    expect(found).toEqual(ids);
    const { total } = await ada.call(countCalls, { query: `?${given(filter)}` });
    expect(total).toBe(ids.length);
  },
);

test('a page for which too many calls would be looked at ends early, and the next one continues', async () => {
  // The room's calls have no scores, except one of the oldest.
  const ofRoom = `from calls where org_id = $1 and room_id = $2`;
  const values = [ada.user.orgId, room];
  await app.owner.query(`delete from ratings where call_id in (select id ${ofRoom})`, values);
  const { rows } = await app.owner.query<{ call_id: string }>(
    `insert into ratings (id, org_id, call_id, kind, account_id, score, created_at, updated_at)
      select gen_random_uuid(), org_id, id, 'staff', started_by, 3, now(), now() ${ofRoom}
        and exists (select from attendances a where a.call_id = calls.id and a.kind = 'guest')
      order by id limit 1 returning call_id`,
    values,
  );
  const first = await ada.send('GET', `/api/calls?limit=20&roomId=${room}&score=detractors`);
  expect(first.body).toEqual([]);
  const next = /^<(.+)>; rel="next"$/.exec(String(first.headers.link))?.[1] ?? '';
  expect(next).toMatch(/before=[0-9a-f-]{36}&beforeKey=\d{4}-\d\d-\d\d$/);
  const second = await ada.send('GET', next);
  expect(second.body).toMatchObject([{ id: rows[0]?.call_id }]);
  expect(second.headers.link).toBeUndefined();
});

test('a filter that no call matches is answered by the sums, without looking at calls', async () => {
  const none = await ada.send('GET', '/api/calls?limit=20&guests=without&score=detractors');
  expect(none.body).toEqual([]);
  expect(none.headers.link).toBeUndefined();
});
