import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readAnalytics } from '#domain/analytics/contract.ts';
import {
  addChecklistItem,
  type Call,
  choosePlaybook,
  readCall,
  startCall,
  updateCall,
} from '#domain/calls/contract.ts';
import { archivePlaybook, createPlaybook } from '#domain/playbooks/contract.ts';
import { createRoom, openRoom, updateRoom } from '#domain/rooms/contract.ts';
import { enterPanel } from '#server/testing/live-client.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newMember, newOrganization, runningCall } from '#server/testing/visitor.ts';

let app: TestApp;
let url: string;
let ada: Awaited<ReturnType<typeof newOrganization>>;
let call: Call;
let playbook: string;
beforeAll(async () => {
  app = await openTestApp();
  url = await app.listen();
});
beforeEach(async () => {
  ada = await newOrganization(app);
  const room = await ada.call(createRoom, { body: { topic: 'Without a playbook' } });
  call = await ada.call(startCall, { body: { roomId: room.id } });
  playbook = await newPlaybook('Greet', 'Agree on goals');
});
afterAll(() => app.close());

const newPlaybook = async (...texts: string[]) => {
  const checklistItems = texts.map((text) => ({ text }));
  return (await ada.call(createPlaybook, { body: { title: 'Kick-off', checklistItems } })).id;
};
const add = (text: unknown, visitor = ada) =>
  visitor.send('POST', `/api/calls/${call.id}/checklist-items`, { text });
const choose = (playbookId = playbook, visitor = ada) =>
  visitor.send('PUT', `/api/calls/${call.id}/playbook`, { playbookId });
const read = () => ada.call(readCall, { params: { id: call.id } });
const steps = async () =>
  (await read()).checklistItems.toSorted((a, b) => a.order - b.order).map(({ text }) => text);
const end = () => ada.call(updateCall, { params: { id: call.id }, body: { endForEveryone: true } });
const events = async (action: string) =>
  (
    await app.owner.query('select 1 from audit_events where org_id = $1 and action = $2', [
      ada.user.orgId,
      action,
    ])
  ).rows.length;

describe('a step added during a call', () => {
  test('follows the others, can be ticked, and reaches open panels', async () => {
    const { meetingToken, panelToken } = await ada.call(openRoom, { params: { id: call.roomId } });
    const panel = await enterPanel(url, panelToken ?? meetingToken);
    await ada.call(choosePlaybook, { params: { id: call.id }, body: { playbookId: playbook } });
    const item = await ada.call(addChecklistItem, {
      params: { id: call.id },
      body: { text: '  Ask for a reference ' },
    });
    expect(item).toMatchObject({ text: 'Ask for a reference', order: 2 });
    expect(await steps()).toEqual(['Greet', 'Agree on goals', 'Ask for a reference']);
    const state = await panel.until('checklist', ({ items }) => items.length === 3);
    expect(state.items.at(-1)).toEqual({ itemId: item.id, checked: false });
    const body = { checklistChanges: { [item.id]: true } };
    const ticked = await ada.call(updateCall, { params: { id: call.id }, body });
    expect(ticked.checklistStateJson[item.id]).toBe(true);
    expect(await events('CALL_ITEM_ADDED')).toBe(1);
  });

  test('counts in the completion of a call that had no playbook', async () => {
    await add('Ask for a reference');
    await add('Say thanks');
    const [first] = (await read()).checklistItems;
    const body = { checklistChanges: { [first?.id ?? '']: true }, endForEveryone: true };
    await ada.call(updateCall, { params: { id: call.id }, body });
    expect((await ada.call(readAnalytics)).checklistCompletion).toBe(50);
  });

  test('does not change the playbook', async () => {
    await choose();
    await add('Only today');
    const { id } = await ada.call(createRoom, { body: { topic: 'Next', playbookId: playbook } });
    const next = await ada.call(startCall, { body: { roomId: id } });
    expect(next.checklistItems).toHaveLength(2);
  });

  test.each([
    ['', 'Item text is required'],
    ['   ', 'Item text is required'],
    [7, 'Item text is required'],
    ['x'.repeat(501), 'Please use at most 500 characters'],
  ])('needs a text, unlike %j', async (text, message) => {
    expect(await add(text)).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'text', message }] },
    });
  });

  test('is refused beyond 200 steps, by a viewer, elsewhere, and after the end', async () => {
    const full = await newPlaybook(...Array.from({ length: 199 }, (_, n) => `Step ${n}`));
    await choose(full);
    const both = await Promise.all([add('Last'), add('One too many')]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect((await read()).checklistItems).toHaveLength(200);
    expect((await add('No', await newMember(app, ada, 'VIEWER'))).status).toBe(403);
    expect((await add('No', await newOrganization(app))).status).toBe(404);
    await end();
    expect(await add('Late')).toMatchObject({ status: 409, body: { code: 'call_has_ended' } });
  });
});

describe('a playbook chosen during a call', () => {
  test('comes before own steps, and stays with the room', async () => {
    await add('Ask for a reference');
    expect(await choose()).toMatchObject({ status: 200 });
    expect(await steps()).toEqual(['Greet', 'Agree on goals', 'Ask for a reference']);
    expect((await read()).playbook).toMatchObject({ id: playbook });
    const room = await ada.call(openRoom, { params: { id: call.roomId } });
    expect(room.playbookId).toBe(playbook);
    expect([await events('CALL_UPDATED'), await events('ROOM_UPDATED')]).toEqual([1, 1]);
  });

  test('is given once, also when two ask at once, and never replaced', async () => {
    const other = await newPlaybook('Other');
    const answers = await Promise.all([choose(), choose(), choose(other)]);
    const chosen = (await read()).playbook?.id;
    expect((await read()).checklistItems).toHaveLength(chosen === playbook ? 2 : 1);
    expect(answers.map(({ status }) => status)).toContain(409);
    expect((await choose(chosen === playbook ? other : playbook)).body).toMatchObject({
      code: 'call_has_playbook',
    });
  });

  test('R19-61: panels are told what has changed, of many steps together', async () => {
    const { meetingToken, panelToken } = await ada.call(openRoom, { params: { id: call.roomId } });
    const panel = await enterPanel(url, panelToken ?? meetingToken);
    const before = panel.all('checklist').length;
    const told = () => panel.all('checklist').slice(before);
    await choose();
    await Promise.all(Array.from({ length: 10 }, () => choose()));
    await Promise.all(Array.from({ length: 20 }, (_, n) => add(`Step ${n}`)));
    await expect.poll(() => told().at(-1)?.items.length).toBe(22);
    // One for each quarter of a second, and not one for each of 21 changes.
    expect(told().length).toBeLessThan(15);
    // A change can be stored while the one before it is told, and is then told twice.
    const sizes = told().map(({ items }) => items.length);
    expect(sizes).toEqual(sizes.toSorted((one, other) => one - other));
  });

  test('leaves a room that meanwhile has another playbook as it is', async () => {
    const other = await newPlaybook('Other');
    await ada.call(updateRoom, { params: { id: call.roomId }, body: { playbookId: other } });
    await choose();
    const room = await ada.call(openRoom, { params: { id: call.roomId } });
    expect(room.playbookId).toBe(other);
    expect((await read()).playbook).toMatchObject({ id: playbook });
  });

  test('is refused if it is archived, of another organization, or would make more than 200 steps', async () => {
    const archived = await newPlaybook('Old');
    await ada.call(archivePlaybook, { params: { id: archived } });
    expect((await choose(archived)).status).toBe(409);
    const eve = await newOrganization(app);
    const { playbook: foreign } = await runningCall(eve);
    expect((await choose(foreign.id)).status).toBe(404);
    expect((await choose(playbook, eve)).status).toBe(404);
    await add('One step');
    const full = await newPlaybook(...Array.from({ length: 200 }, (_, n) => `Step ${n}`));
    expect((await choose(full)).body).toMatchObject({ code: 'checklist_full' });
    expect(await steps()).toEqual(['One step']);
    await end();
    expect((await choose()).body).toMatchObject({ code: 'call_has_ended' });
  });
});
