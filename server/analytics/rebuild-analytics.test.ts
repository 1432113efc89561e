import { afterAll, beforeAll, expect, test } from 'vitest';
import { readAnalytics } from '#domain/analytics/contract.ts';
import { updateCall } from '#domain/calls/contract.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newMember, newOrganization, runningCall } from '#server/testing/visitor.ts';
import { foldAnalyticsEverywhere } from './jobs.ts';
import { rebuildAnalytics } from './rebuild-analytics.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

/** An organization with a completed call of ten minutes with the score 9. */
async function withOneCall() {
  const ada = await newOrganization(app);
  const { call } = await runningCall(ada);
  const body = { npsScore: 9, endForEveryone: true };
  await ada.call(updateCall, { params: { id: call.id }, body });
  await app.owner.query(
    `update calls set started_at = ended_at - interval '10 minutes', duration_sec = 600 where id = $1`,
    [call.id],
  );
  return { ada, call, figures: await ada.call(readAnalytics) };
}

/** Returns what it says, of which the last line is the result. */
async function rebuild(): Promise<string> {
  const database = app.openOwnerDatabase();
  const lines: string[] = [];
  try {
    lines.push(await rebuildAnalytics(database, (line) => lines.push(line)));
    return lines.join('\n');
  } finally {
    await database.close();
  }
}

test('rebuilding correct figures reports no difference, before and after they are folded', async () => {
  await withOneCall();
  expect(await rebuild()).toContain('All figures were correct.');
  await foldAnalyticsEverywhere(app.services);
  expect(await rebuild()).toContain('All figures were correct.');
});

test('rebuilding repairs lost calls and wrong sums, and names each', async () => {
  const { ada, call, figures } = await withOneCall();
  await foldAnalyticsEverywhere(app.services);
  await app.owner.query('delete from counted_calls where call_id = $1', [call.id]);
  // Shortly after midnight, the call was moved to the day before, and left a row without calls.
  await app.owner.query(
    `update analytics_days set calls = 3, score_sum = 0
      where org_id = $1 and grain = 0 and isfinite(day) and calls > 0`,
    [ada.user.orgId],
  );
  expect((await ada.call(readAnalytics)).totalCalls).toBe(0);
  const said = await rebuild();
  expect(said).toMatch(/Repaired differences: 2\.$/);
  expect(said).toContain(`the call ${call.id} was not counted correctly`);
  expect(said).toMatch(/the sums of \d{4}-\d\d-\d\d had too many calls: 2$/m);
  expect(await ada.call(readAnalytics)).toEqual(figures);
  expect(await rebuild()).toContain('All figures were correct.');
});

test('an organization from before the sums has its figures at once, and the same when they are kept', async () => {
  const { ada, figures } = await withOneCall();
  const { orgId } = ada.user;
  await app.owner.query('update organizations set calls_counted_at = null where id = $1', [orgId]);
  await app.owner.query('delete from counted_calls where org_id = $1', [orgId]);
  await app.owner.query('delete from analytics_changes where org_id = $1', [orgId]);
  await app.owner.query('delete from analytics_days where org_id = $1', [orgId]);
  expect(await ada.call(readAnalytics)).toEqual(figures);
  await foldAnalyticsEverywhere(app.services);
  const { rows } = await app.owner.query(
    'select sum(calls)::int as calls from analytics_days where org_id = $1 and grain = 0',
    [orgId],
  );
  expect(rows).toEqual([{ calls: 2 }]);
  expect(await ada.call(readAnalytics)).toEqual(figures);
});

test('a tick that another transaction stores while the call ends is counted by the next run of the job', async () => {
  const ada = await newOrganization(app);
  const { call } = await runningCall(ada);
  const [item] = call.checklistItems;
  const other = app.openOwnerDatabase();
  try {
    await other.connection('outside', async ({ query }) => {
      await query('begin', []);
      await query(
        'update call_checklist_items set checked_at = now() where call_id = $1 and item_id = $2',
        [call.id, item?.id],
      );
      await ada.call(updateCall, { params: { id: call.id }, body: { endForEveryone: true } });
      await query('commit', []);
    });
  } finally {
    await other.close();
  }
  const { checklistItems } = call;
  expect((await ada.call(readAnalytics)).checklistCompletion).toBe(0);
  await foldAnalyticsEverywhere(app.services);
  const percent = Math.round(100 / checklistItems.length);
  expect((await ada.call(readAnalytics)).checklistCompletion).toBe(percent);
});

test('deleting the account that started calls keeps them in the figures, and out of its own', async () => {
  const { ada } = await withOneCall();
  const ben = await newMember(app, ada, 'AGENT');
  const { call } = await runningCall(ben);
  await ben.call(updateCall, { params: { id: call.id }, body: { endForEveryone: true } });
  const ofBen = { query: `?agentId=${ben.user.id}` };
  expect((await ada.call(readAnalytics, ofBen)).totalCalls).toBe(1);
  await foldAnalyticsEverywhere(app.services);
  await app.owner.query('delete from accounts where id = $1', [ben.user.id]);
  expect((await ada.call(readAnalytics, ofBen)).totalCalls).toBe(0);
  expect((await ada.call(readAnalytics)).totalCalls).toBe(2);
  expect(await rebuild()).toContain('All figures were correct.');
});
