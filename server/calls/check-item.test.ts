import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readAnalytics } from '#domain/analytics/contract.ts';
import { readCall, startCall, updateCall } from '#domain/calls/contract.ts';
import { createPlaybook } from '#domain/playbooks/contract.ts';
import { createRoom } from '#domain/rooms/contract.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newOrganization, runningCall } from '#server/testing/visitor.ts';
import { waitingForLocks } from '#server/testing/waiting-for-locks.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

/** A completed call with a checklist of 200 items, none of which is ticked. */
async function endedCall() {
  const ada = await newOrganization(app);
  const checklistItems = Array.from({ length: 200 }, (_, n) => ({ text: `Item ${n}` }));
  const playbook = await ada.call(createPlaybook, { body: { title: 'Long', checklistItems } });
  const room = await ada.call(createRoom, {
    body: { topic: 'Review', playbookId: playbook.id },
  });
  const call = await ada.call(startCall, { body: { roomId: room.id } });
  const params = { id: call.id };
  await ada.call(updateCall, { params, body: { endForEveryone: true } });
  const items = call.checklistItems.map(({ id }) => id);
  const change = async (ids: readonly string[], checked: boolean) => {
    const { counts } = app.services.database;
    const before = counts.statements;
    const checklistChanges = Object.fromEntries(ids.map((id) => [id, checked]));
    await ada.call(updateCall, { params, body: { checklistChanges } });
    return counts.statements - before;
  };
  return { ada, params, items, change };
}

test('R13-1: 200 ticks of a request run the statements of one, and each has its audit event', async () => {
  const { ada, params, items, change } = await endedCall();
  const ofOne = await change(items.slice(0, 1), true);
  expect(await change(items, true)).toBe(ofOne);
  const { checklistStateJson } = await ada.call(readCall, { params });
  expect(Object.values(checklistStateJson)).toEqual(Array(200).fill(true));
  const { rows } = await app.owner.query(
    `select metadata ->> 'itemId' as item from audit_events
      where entity_id = $1 and action = 'CALL_ITEM_CHECKED' and actor_id = $2`,
    [params.id, ada.user.id],
  );
  expect(rows.map(({ item }) => item).sort()).toEqual([...items].sort());
});

test('R13-1: ticks of one statement count their call once', async () => {
  const { ada, params, items, change } = await endedCall();
  await change(items.slice(0, 20), true);
  expect((await ada.call(readAnalytics)).checklistCompletion).toBe(10);
  const { rows } = await app.owner.query(
    `explain (analyze, format json) update call_checklist_items set checked_at = now() where call_id = '${params.id}'`,
  );
  const [{ Triggers: triggers }] = rows[0]['QUERY PLAN'];
  expect(triggers).toEqual([expect.objectContaining({ 'Trigger Name': 'count_ticks', Calls: 1 })]);
  expect((await ada.call(readAnalytics)).checklistCompletion).toBe(100);
});

test('an unknown item among others is not found, and nothing changes', async () => {
  const { ada, params, items } = await endedCall();
  const checklistChanges = { [items[0] ?? '']: true, [crypto.randomUUID()]: true };
  const answer = await ada.send('PUT', `/api/calls/${params.id}`, { checklistChanges });
  expect(answer).toMatchObject({ status: 404, body: { code: 'unknown_item' } });
  const { checklistStateJson } = await ada.call(readCall, { params });
  expect(Object.values(checklistStateJson)).not.toContain(true);
});

test('a tick and a change of a call that has just ended do not wait for each other', async () => {
  const ada = await newOrganization(app);
  const { call } = await runningCall(ada);
  const itemId = call.checklistItems[0]?.id ?? '';
  const ending = new pg.Client(app.ownerLogin);
  const ticking = new pg.Client(app.ownerLogin);
  await Promise.all([ending.connect(), ticking.connect()]);
  try {
    await ticking.query('begin');
    await ticking.query(
      'select from call_checklist_items where call_id = $1 and item_id = $2 for no key update',
      [call.id, itemId],
    );
    await ending.query('begin');
    await ending.query('update calls set ended_at = now(), duration_sec = 1 where id = $1', [
      call.id,
    ]);
    const body = { checklistChanges: { [itemId]: true } };
    const changed = ada.send('PUT', `/api/calls/${call.id}`, body);
    await waitingForLocks(app);
    // From here on, the change has the call, and waits for its step.
    await ending.query('commit');
    await waitingForLocks(app);
    await ticking.query(
      'update call_checklist_items set checked_at = now() where call_id = $1 and item_id = $2',
      [call.id, itemId],
    );
    await ticking.query('commit');
    expect(await changed).toMatchObject({
      status: 200,
      body: { checklistStateJson: { [itemId]: true } },
    });
  } finally {
    await Promise.all([ending.end(), ticking.end()]);
  }
});
