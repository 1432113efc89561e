import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  addActionItem,
  deleteActionItem,
  listActionItems,
  listOpenActionItems,
  mostActionItems,
  regenerateActionItems,
  type StoredActionItem,
  type UpdateActionItemBody,
  updateActionItem,
} from '#domain/action-items/contract.ts';
import { generateActionItems } from '#domain/ai/contract.ts';
import { updateCall } from '#domain/calls/contract.ts';
import type { SentBodyOf } from '#domain/contract.ts';
import { actionItemId, type CallId, type RoomId } from '#domain/ids.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newMember, newOrganization, runningCall } from '#server/testing/visitor.ts';
import { mostDismissed } from './change-action-items.ts';

let app: TestApp;
let ada: Awaited<ReturnType<typeof newOrganization>>;
let call: { id: CallId };
let room: { id: RoomId };

beforeAll(async () => {
  app = await openTestApp();
  ada = await newOrganization(app);
});
afterAll(() => app.close());
beforeEach(async () => {
  ({ call, room } = await runningCall(ada));
});

const contract = "Ada: I'll send you the contract by Friday.";
const bank = 'Ben: I will call the bank tomorrow.';
const friday = expect.stringMatching(/^\d{4}-\d\d-\d\d$/);
const sendContract = 'Send you the contract by Friday';

const kept = () => ada.call(listActionItems, { params: { id: call.id } });
const titles = async () => (await kept()).actionItems.map(({ title }) => title);
const write = (notesSnapshot: string) =>
  ada.call(updateCall, { params: { id: call.id }, body: { notesSnapshot } });
const endCall = () =>
  ada.call(updateCall, {
    params: { id: call.id },
    body: { endedAt: new Date().toISOString() },
  });
const generate = (fullConversation: string, by = ada) =>
  by.call(generateActionItems, { body: { callId: call.id, fullConversation } });
const regenerate = () => ada.call(regenerateActionItems, { params: { id: call.id }, body: {} });
const add = (body: SentBodyOf<typeof addActionItem>) =>
  ada.call(addActionItem, { params: { id: call.id }, body });
const update = ({ id }: Pick<StoredActionItem, 'id'>, body: UpdateActionItemBody) =>
  ada.call(updateActionItem, { params: { id }, body });
const remove = ({ id }: Pick<StoredActionItem, 'id'>) =>
  ada.call(deleteActionItem, { params: { id } });
async function only(): Promise<StoredActionItem> {
  const [item] = (await kept()).actionItems;
  if (!item) throw new Error('The call has no action item.');
  return item;
}

describe('what is stored', () => {
  test('comes from the server’s copy of the notes, while the answer is for the text that was sent', async () => {
    await write(contract);
    const { actionItems } = await generate(bank);
    expect(actionItems).toMatchObject([{ description: bank }]);
    const list = await kept();
    expect(list.actionItems).toMatchObject([
      {
        title: sendContract,
        description: contract,
        isGenerated: true,
        completedAt: null,
        dueOn: friday,
      },
    ]);
    expect(list).toMatchObject({
      generatedAt: expect.any(String),
      analyzer: { name: 'offline', offline: true },
    });
  });

  test('is nothing where the call has no notes', async () => {
    await generate(contract);
    expect(await kept()).toEqual({ actionItems: [], generatedAt: null, analyzer: null });
  });

  test('is generated again at the end of the call, and then once', async () => {
    await write(contract);
    await generate(contract);
    await write(`${contract}\n${bank}`);
    await endCall();
    await generate('Nothing was promised.');
    expect(await titles()).toHaveLength(2);
    await write('Nothing was promised.');
    await generate('Nothing was promised.');
    expect(await titles()).toHaveLength(2);
  });

  test('is one list for ten people who end a call at the same time', async () => {
    await write(contract);
    await endCall();
    const ben = await newMember(app, ada, 'AGENT');
    await Promise.all(Array.from({ length: 10 }, (_, n) => generate(bank, n % 2 ? ada : ben)));
    expect(await titles()).toEqual([sendContract]);
    const { rows } = await app.owner.query(
      `select action from audit_events where entity_id = $1 and action like 'ACTION_ITEMS_%ATED'`,
      [call.id],
    );
    expect(rows).toEqual([{ action: 'ACTION_ITEMS_CREATED' }]);
  });
});

describe('generating again', () => {
  test('replaces untouched items, and keeps what members edited, completed, or added', async () => {
    const promises = ['Ben: I will call the bank tomorrow.', 'Ben: I will update the report.'];
    await write([contract, ...promises].join('\n'));
    const [first, second] = (await regenerate()).actionItems;
    if (!first || !second) throw new Error('Two items were expected.');
    await update(first, { title: 'Send the signed contract' });
    await update(second, { isCompleted: true });
    await add({ title: 'Order a cake' });
    await write("Ada: I'll write to the lawyer on Monday.");
    await regenerate();
    expect(await titles()).toEqual([
      'Send the signed contract',
      'Order a cake',
      expect.stringContaining('lawyer'),
      second.title,
    ]);
    await write([contract, ...promises].join('\n'));
    const again = await regenerate();
    expect(again.actionItems).toHaveLength(4);
    expect(again.actionItems.map(({ title }) => title)).not.toContain(sendContract);
  });

  test('does not bring back what a member deleted', async () => {
    await write(contract);
    await regenerate();
    await remove(await only());
    expect((await regenerate()).actionItems).toEqual([]);
    await endCall();
    await generate(contract);
    expect(await titles()).toEqual([]);
    const { rows } = await app.owner.query(
      'select dismissed::text from action_item_lists where call_id = $1',
      [call.id],
    );
    expect(rows[0].dismissed, 'nothing of it stays readable').not.toMatch(/contract/i);
  });

  test('R14-3: remembers a bounded number of deletions, the newest', async () => {
    await write(contract);
    await regenerate();
    await app.owner.query(
      `update action_item_lists set dismissed = array(select n::text from generate_series(1, $2) n)
        where call_id = $1`,
      [call.id, mostDismissed],
    );
    await remove(await only());
    const { rows } = await app.owner.query<{ dismissed: string[] }>(
      'select dismissed from action_item_lists where call_id = $1',
      [call.id],
    );
    const dismissed = rows[0]?.dismissed ?? [];
    expect([dismissed.length, dismissed[0]]).toEqual([mostDismissed, '2']);
    expect((await regenerate()).actionItems).toEqual([]);
  });

  test('recognizes items that were stored before they had keys', async () => {
    await write(contract);
    await regenerate();
    await app.owner.query('update action_items set source_key = null where call_id = $1', [
      call.id,
    ]);
    await update(await only(), { isCompleted: true });
    await regenerate();
    expect(await titles()).toEqual([sendContract]);
  });
});

describe('an action item', () => {
  test('is edited, completed, and reopened, each with its audit event', async () => {
    const item = await add({ title: ' Send the offer ', dueOn: '2026-12-01' });
    expect(item).toMatchObject({
      title: 'Send the offer',
      priority: 'medium',
      dueOn: '2026-12-01',
      isGenerated: false,
    });
    await update(item, { title: 'Send the new offer', priority: 'high', dueOn: null });
    expect(await update(item, { isCompleted: true })).toMatchObject({
      title: 'Send the new offer',
      priority: 'high',
      dueOn: null,
      completedAt: expect.any(String),
      completedBy: `${ada.user.firstName} ${ada.user.lastName}`,
    });
    expect((await update(item, { isCompleted: false })).completedAt).toBe(null);
    await remove(item);
    expect(await titles()).toEqual([]);
    const { rows } = await app.owner.query(
      `select action, metadata from audit_events
        where entity_id = $1 and action like 'ACTION_ITEM%' order by id`,
      [call.id],
    );
    expect(rows.map(({ action }) => action)).toEqual([
      'ACTION_ITEM_CREATED',
      'ACTION_ITEM_UPDATED',
      'ACTION_ITEM_COMPLETED',
      'ACTION_ITEM_REOPENED',
      'ACTION_ITEM_DELETED',
    ]);
    expect(JSON.stringify(rows), 'never the content').not.toMatch(/offer/i);
  });

  test('is assigned to a member, whose name becomes the owner', async () => {
    const ben = await newMember(app, ada, 'AGENT');
    const item = await add({ title: 'Call back', owner: 'Rosa' });
    expect(item).toMatchObject({ owner: 'Rosa', assigneeId: null });
    expect(await update(item, { assigneeId: ben.user.id })).toMatchObject({
      assigneeId: ben.user.id,
      owner: expect.stringContaining(ben.user.firstName),
    });
    expect(await update(item, { owner: 'Rosa' })).toMatchObject({
      assigneeId: null,
      owner: 'Rosa',
    });
  });

  test('is not assigned to someone outside the organization', async () => {
    const eve = await newOrganization(app);
    const item = await add({ title: 'Call back' });
    const reply = await ada.send('PATCH', `/api/action-items/${item.id}`, {
      assigneeId: eve.user.id,
    });
    expect(reply).toMatchObject({ status: 400, body: { code: 'unknown_assignee' } });
  });

  test('of another organization cannot be read, changed, or deleted', async () => {
    const item = await add({ title: 'Call back' });
    const eve = await newOrganization(app);
    const path = `/api/action-items/${item.id}`;
    expect((await eve.send('PATCH', path, { title: 'Taken' })).status).toBe(404);
    expect((await eve.send('DELETE', path)).status).toBe(404);
    expect((await eve.send('GET', `/api/rooms/${room.id}/action-items`)).status).toBe(404);
    expect(await titles()).toEqual(['Call back']);
  });

  test('needs a title, a possible date, and an item that exists', async () => {
    const path = `/api/calls/${call.id}/action-items`;
    const bad = async (body: object) => (await ada.send('POST', path, body)).body;
    expect(await bad({ title: '  ' })).toMatchObject({ message: 'Title is required' });
    expect(await bad({ title: 'x', dueOn: '2026-02-30' })).toMatchObject({
      message: 'Please enter a valid date',
    });
    const unknown = actionItemId.parse('01900000-0000-7000-8000-000000000000');
    expect((await ada.send('DELETE', `/api/action-items/${unknown}`)).status).toBe(404);
  });

  test('is read, and not changed, by a VIEWER', async () => {
    const item = await add({ title: 'Call back' });
    const viewer = await newMember(app, ada, 'VIEWER');
    const path = `/api/action-items/${item.id}`;
    expect((await viewer.send('PATCH', path, { isCompleted: true })).status).toBe(403);
    expect(await viewer.call(listActionItems, { params: { id: call.id } })).toMatchObject({
      actionItems: [{ title: 'Call back' }],
    });
  });

  test('R14-4: does not keep the name of an assignee who is erased', async () => {
    const ben = await newMember(app, ada, 'AGENT');
    const edited = await add({ title: 'Call back' });
    await update(edited, { assigneeId: ben.user.id });
    await add({ title: 'Write', assigneeId: ben.user.id });
    await ada.send('POST', '/api/privacy/erase', { userId: ben.user.id });
    const owners = async () =>
      (await kept()).actionItems.map(({ owner, assigneeId }) => [owner, assigneeId]);
    await expect.poll(owners).toEqual(Array(2).fill([null, null]));
  });

  test('stays when its assignee’s account is deleted', async () => {
    const ben = await newMember(app, ada, 'AGENT');
    const item = await add({ title: 'Call back', assigneeId: ben.user.id });
    await app.owner.query('delete from accounts where id = $1', [ben.user.id]);
    expect(await only()).toMatchObject({ id: item.id, assigneeId: null });
  });
});

test('a call has a bounded number of action items, also when many are added at once', async () => {
  await app.owner.query(
    `with list as (
        insert into action_item_lists (org_id, call_id) values ($1, $2) returning call_id
      )
      insert into action_items (org_id, call_id, id, position, priority, confidence, title, description, edited_at)
      select $1, call_id, gen_random_uuid(), n, 'low', 1, 'Item', '', now()
      from list, generate_series(1, $3) n`,
    [ada.user.orgId, call.id, mostActionItems - 2],
  );
  const replies = await Promise.all(
    Array.from({ length: 5 }, () =>
      ada.send('POST', `/api/calls/${call.id}/action-items`, { title: 'One more' }),
    ),
  );
  expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 201, 409, 409, 409]);
});

test('a room lists the open action items of its calls, newest call first', async () => {
  const open = await add({ title: 'Open' });
  const done = await add({ title: 'Done' });
  await update(done, { isCompleted: true });
  const list = await ada.call(listOpenActionItems, { params: { id: room.id } });
  expect(list).toMatchObject([{ id: open.id, callId: call.id, title: 'Open' }]);
});
