import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRoom } from '#domain/rooms/contract.ts';
import type { Tenant } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newOrganization } from '#server/testing/visitor.ts';
import { seeWaiting } from './lobby.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

interface PlanNode {
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Join Filter'?: number;
  Plans?: PlanNode[];
}

/** Returns how many rows a plan has looked at. */
const rowsOf = (node: PlanNode): number =>
  node['Actual Loops'] *
    (node['Actual Rows'] +
      (node['Rows Removed by Filter'] ?? 0) +
      (node['Rows Removed by Join Filter'] ?? 0)) +
  (node.Plans ?? []).reduce((sum, each) => sum + rowsOf(each), 0);

/** Returns what a function would run, and runs nothing. */
async function statementOf(use: (tenant: Tenant) => Promise<unknown>): Promise<Statement> {
  const statements: Statement[] = [];
  const run = async (statement: Statement) => {
    statements.push(statement);
    return [];
  };
  const connection = (work: (lent: { run: typeof run }) => unknown) => work({ run });
  await use({ orgId: '', connection } as unknown as Tenant);
  const [statement] = statements;
  if (!statement) throw new Error('nothing was run');
  return statement;
}

test('R30-B3: a ping of one waiting guest looks at each other one a few times at most, however it was planned', async () => {
  const ada = await newOrganization(app);
  const { id: room } = await ada.call(createRoom, { body: { topic: 'Webinar', lobby: true } });
  const { text } = await statementOf((tenant) => seeWaiting(tenant, '' as never));
  const { owner } = app;
  // Planned while nobody waits, as at the beginning of a day.
  await owner.query('delete from lobby_entries');
  await owner.query('vacuum analyze lobby_entries');
  await owner.query('set plan_cache_mode = force_generic_plan');
  try {
    await owner.query(`prepare see_one as ${text}`);
    const of = (guest: string) => `execute see_one('${ada.user.orgId}', '${guest}', 60, 20)`;
    await owner.query(of(room));
    const guests = 300;
    const { rows } = await owner.query<{ id: string }>(
      `insert into lobby_entries (participant_id, org_id, room_id, name)
        select gen_random_uuid(), $1, $2, 'Guest ' || n from generate_series(1, $3::int) n
        returning participant_id as id`,
      [ada.user.orgId, room, guests],
    );
    const explained = await owner.query(
      `explain (analyze, format json) ${of(rows.at(-1)?.id ?? '')}`,
    );
    const [{ Plan: plan }] = explained.rows[0]['QUERY PLAN'];
    expect(rowsOf(plan)).toBeGreaterThan(0);
    expect(rowsOf(plan)).toBeLessThan(guests * 5);
  } finally {
    await owner.query('reset plan_cache_mode');
    await owner.query('deallocate all');
  }
});

test('a ping of a waiting guest is stored without waiting for the disk', async () => {
  const ada = await newOrganization(app);
  const { id: room } = await ada.call(createRoom, { body: { topic: 'Webinar', lobby: true } });
  const { rows } = await app.owner.query<{ id: string }>(
    `insert into lobby_entries (participant_id, org_id, room_id, name)
      values (gen_random_uuid(), $1, $2, 'Bo') returning participant_id as id`,
    [ada.user.orgId, room],
  );
  const guest = rows[0]?.id as never;
  const { text } = await statementOf((tenant) => seeWaiting(tenant, guest));
  const setting = async () =>
    (await app.owner.query('show synchronous_commit')).rows[0].synchronous_commit;
  await app.owner.query('begin');
  // Off in all tests.
  await app.owner.query('set local synchronous_commit = on');
  await app.owner.query(text, [ada.user.orgId, guest, 60, 20]);
  expect(await setting()).toBe('off');
  await app.owner.query('rollback');
});
