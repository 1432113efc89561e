import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Analytics, readAnalytics } from '#domain/analytics/contract.ts';
import type { AnalyticsFilter } from '#domain/analytics/filter.ts';
import type { AccountId, PlaybookId, RoomId } from '#domain/ids.ts';
import { createPlaybook } from '#domain/playbooks/contract.ts';
import { createRoom } from '#domain/rooms/contract.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newMember, newOrganization } from '#server/testing/visitor.ts';
import { foldAnalyticsEverywhere } from './jobs.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

/** What may happen, in any order. `call` is taken modulo the number of calls. */
const call = fc.nat(5);
const start = fc.record({
  does: fc.constant('start' as const),
  room: fc.nat(3),
  agent: fc.nat(1),
  /** Around the days where periods begin, and across midnight. */
  minutesAgo: fc.oneof(
    fc.integer({ min: 0, max: 3 * 1440 }),
    fc.integer({ min: 28 * 1440, max: 32 * 1440 }),
    fc.integer({ min: 58 * 1440, max: 62 * 1440 }),
  ),
});
const end = fc.record({ does: fc.constant('end' as const), call, seconds: fc.nat(9000) });
const move = fc.record({ does: fc.constant('move' as const), call, minutes: fc.nat(3000) });
const join = fc.record({ does: fc.constant('join' as const), call, isGuest: fc.boolean() });
const add = fc.record({ does: fc.constant('add' as const), call });
const tick = fc.record({ does: fc.constant('tick' as const), call });
const rate = fc.record({
  does: fc.constant('rate' as const),
  call,
  agent: fc.nat(1),
  score: fc.nat(10),
  isGuest: fc.boolean(),
});
const remove = fc.record({ does: fc.constant('delete' as const), call });
const fold = fc.record({ does: fc.constant('fold' as const) });
const step = fc.oneof(
  { arbitrary: start, weight: 3 },
  { arbitrary: end, weight: 4 },
  { arbitrary: move, weight: 1 },
  { arbitrary: join, weight: 2 },
  { arbitrary: add, weight: 3 },
  { arbitrary: tick, weight: 3 },
  { arbitrary: rate, weight: 4 },
  { arbitrary: remove, weight: 1 },
  { arbitrary: fold, weight: 1 },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

type Organization = Awaited<ReturnType<typeof organization>>;
/** Three rooms, two of them with a playbook, a sample room, and two agents. */
async function organization() {
  const ada = await newOrganization(app);
  const ben = await newMember(app, ada, 'AGENT');
  const withPlaybook = async () => {
    const playbook = await ada.call(createPlaybook, {
      body: { title: 'Onboarding', checklistItems: [{ text: 'x' }] },
    });
    return ada.call(createRoom, { body: { topic: 'With', playbookId: playbook.id } });
  };
  const without = await ada.call(createRoom, { body: { topic: 'Without' } });
  const sample = await withPlaybook();
  await app.owner.query(
    `with loaded as (
        insert into sample_sets (id, org_id) values (gen_random_uuid(), $1) returning id)
      update rooms set sample_set_id = loaded.id from loaded where rooms.id = $2`,
    [ada.user.orgId, sample.id],
  );
  const rooms = [without, await withPlaybook(), await withPlaybook(), sample] as const;
  return { ada, agents: [ada.user.id, ben.user.id], rooms };
}

/** Does one step as SQL of the owner, whom triggers serve like everyone. */
async function take(given: Step, { ada, agents, rooms }: Organization): Promise<void> {
  const { orgId } = ada.user;
  const query = (text: string, values: unknown[] = []) =>
    app.owner.query<{ id: string }>(text, values);
  if (given.does === 'fold') return foldAnalyticsEverywhere(app.services);
  if (given.does === 'start') {
    const room = rooms[given.room];
    await query(
      `insert into calls (id, org_id, room_id, playbook_id, started_by, started_at)
        values (gen_random_uuid(), $1, $2, $3, $4, now() - $5 * interval '1 minute')
        on conflict do nothing`,
      [orgId, room?.id, room?.playbookId, agents[given.agent], given.minutesAgo],
    );
    return;
  }
  const { rows: calls } = await query('select id from calls where org_id = $1 order by id', [
    orgId,
  ]);
  const call = calls[given.call % Math.max(1, calls.length)]?.id;
  if (!call) return;
  switch (given.does) {
    case 'end':
      await query(
        `update calls set duration_sec = $2::int, ended_at = started_at + $2::int * interval '1 second' where id = $1`,
        [call, given.seconds],
      );
      return;
    case 'move':
      await query(
        `update calls set started_at = started_at - $2 * interval '1 minute' where id = $1`,
        [call, given.minutes],
      );
      return;
    case 'join':
      await query(
        `insert into attendances (id, org_id, call_id, kind, name)
          select gen_random_uuid(), $1, id, $3, 'Someone' from calls where id = $2 and ended_at is null`,
        [orgId, call, given.isGuest ? 'guest' : 'staff'],
      );
      return;
    case 'add':
      await query(
        `insert into call_checklist_items (org_id, call_id, item_id, text, position)
          values ($1, $2, gen_random_uuid(), 'x', 1)`,
        [orgId, call],
      );
      return;
    case 'tick':
      await query(
        `update call_checklist_items
          set checked_at = case when checked_at is null then now() end
          where call_id = $1 and item_id = (
            select item_id from call_checklist_items where call_id = $1 limit 1)`,
        [call],
      );
      return;
    case 'rate':
      await query(
        `insert into ratings (id, org_id, call_id, kind, account_id, score)
          values (gen_random_uuid(), $1, $2, $3, $4, $5)
          on conflict (call_id, account_id) do update
            set score = excluded.score, kind = excluded.kind, updated_at = clock_timestamp()`,
        [orgId, call, given.isGuest ? 'guest' : 'staff', agents[given.agent], given.score],
      );
      return;
    case 'delete':
      await query('delete from calls where id = $1', [call]);
  }
}

interface RawCall {
  room_id: RoomId;
  playbook_id: PlaybookId | null;
  started_by: AccountId | null;
  date: string;
  duration_sec: number;
  kinds: ('staff' | 'guest')[];
  ticks: boolean[];
  scores: number[];
}

/** Computes the figures from the rows, without the sums, the view, and the rules of the product. */
async function fromRows(
  orgId: string | null,
  filter: AnalyticsFilter,
  dates: string[],
): Promise<Partial<Analytics>> {
  const { rows } = await app.owner.query<RawCall>(
    `select c.room_id, c.playbook_id, c.started_by, c.duration_sec,
        to_char(c.started_at at time zone 'UTC', 'YYYY-MM-DD') as date,
        array(select kind from attendances where call_id = c.id) as kinds,
        array(select checked_at is not null from call_checklist_items where call_id = c.id) as ticks,
        array(select score from ratings where call_id = c.id and kind = 'staff'
          order by updated_at) as scores
      from calls c where c.org_id = $1 and c.ended_at is not null
        and c.room_id not in (select id from rooms where sample_set_id is not null)`,
    [orgId],
  );
  const { roomId, playbookId, agentId, from = '', to = '9999' } = filter;
  const calls = rows.filter(
    (row) =>
      row.date >= from &&
      row.date <= to &&
      (!roomId || row.room_id === roomId) &&
      (!playbookId || row.playbook_id === playbookId) &&
      (!agentId || row.started_by === agentId),
  );
  const counted = calls.filter(({ kinds }) => kinds.length === 0 || kinds.includes('guest'));
  const mean = (values: number[]) =>
    values.length === 0 ? null : values.reduce((a, b) => a + b, 0) / values.length;
  const rounded = (value: number) => Math.round(value * 10) / 10;
  const minutes = (of: RawCall[]) => {
    const seconds = mean(of.map((call) => call.duration_sec));
    return seconds === null ? 0 : rounded(seconds / 60);
  };
  const ticks = counted.flatMap((call) => call.ticks);
  const scores = counted.flatMap((call) => call.scores.slice(-1));
  const [promoters, detractors] = [
    scores.filter((score) => score > 8).length,
    scores.filter((score) => score < 7).length,
  ];
  const score = mean(scores);
  const balance = mean(scores.map((score) => (score > 8 ? 100 : score < 7 ? -100 : 0)));
  return {
    totalCalls: calls.length,
    averagedCalls: counted.length,
    checklistItems: ticks.length,
    avgDuration: minutes(counted),
    checklistCompletion: Math.round(100 * (mean(ticks.map(Number)) ?? 0)),
    avgNpsScore: score === null ? null : rounded(score),
    nps: {
      promoters,
      passives: scores.length - promoters - detractors,
      detractors,
      score: balance === null ? null : Math.round(balance),
    },
    trends: dates.map((date) => {
      const ofDay = (of: RawCall[]) => of.filter((call) => call.date === date);
      const averaged = ofDay(counted);
      const [avgDuration, averagedCalls] = [minutes(averaged), averaged.length];
      return { date, calls: ofDay(calls).length, avgDuration, averagedCalls };
    }),
  };
}

const dayAgo = (days: number) =>
  new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

async function expectTrueFigures({ ada, agents, rooms }: Organization): Promise<void> {
  const [, { id: roomId, playbookId }] = rooms;
  // Some calls began before the period, and some after it.
  const choices = [roomId, playbookId, agents[0], dayAgo(60), dayAgo(1)];
  for (let which = 0; which < 32; which += 1) {
    const given = choices.map((id, index) => (which & (1 << index) ? id : undefined));
    const filter = Object.fromEntries(
      ['roomId', 'playbookId', 'agentId', 'from', 'to'].map((name, index) => [name, given[index]]),
    ) as AnalyticsFilter;
    const query = new URLSearchParams(
      Object.entries(filter).filter(([, id]) => id !== undefined) as [string, string][],
    );
    const figures = await ada.call(readAnalytics, { query: `?${query}` });
    const dates = figures.trends.map(({ date }) => date);
    expect([which, figures]).toMatchObject([which, await fromRows(ada.user.orgId, filter, dates)]);
  }
}

test('after any history, the figures are those of the rows', { timeout: 60_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60 }), async (steps) => {
      const here = await organization();
      for (const each of steps) await take(each, here);
      await expectTrueFigures(here);
      await foldAnalyticsEverywhere(app.services);
      await expectTrueFigures(here);
    }),
    { numRuns: 15 },
  );
});
