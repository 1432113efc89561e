import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readCall, updateCall } from '#domain/calls/contract.ts';
import {
  archivePlaybook,
  createPlaybook,
  listPlaybooks,
  type Playbook,
  readPlaybook,
  restorePlaybook,
  updatePlaybook,
} from '#domain/playbooks/contract.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newMember, newOrganization, runningCall } from '#server/testing/visitor.ts';

let app: TestApp;
let ada: Awaited<ReturnType<typeof newOrganization>>;
let playbook: Playbook;
let params: { id: string };
beforeAll(async () => {
  app = await openTestApp();
});
beforeEach(async () => {
  ada = await newOrganization(app);
  playbook = await ada.call(createPlaybook, {
    body: { title: 'Onboarding', description: 'First', checklistItems: ['a', 'b', 'c'].map(item) },
  });
  params = { id: playbook.id };
});
afterAll(() => app.close());

const item = (text: string) => ({ text });
const edit = (changes: object = {}) => ({
  title: playbook.title,
  description: playbook.description ?? '',
  checklistItems: playbook.checklistItems.map(({ id, text }) => ({ id, text })),
  version: playbook.version,
  ...changes,
});
const events = async () =>
  (
    await app.owner.query('select action, metadata from audit_events where entity_id = $1', [
      playbook.id,
    ])
  ).rows;

test('items can be moved, reworded, added and removed, and existing ones keep their id', async () => {
  const [a, b] = playbook.checklistItems;
  const saved = await ada.call(updatePlaybook, {
    params,
    body: edit({
      title: ' Welcome ',
      description: '',
      checklistItems: [{ id: b?.id, text: 'b' }, { text: 'new' }, { id: a?.id, text: 'A!' }],
    }),
  });
  expect(saved).toMatchObject({
    title: 'Welcome',
    description: null,
    version: 2,
    updatedBy: { email: ada.user.email },
    checklistItems: [
      { id: b?.id, text: 'b', order: 0 },
      { id: expect.any(String), text: 'new', order: 1 },
      { id: a?.id, text: 'A!', order: 2 },
    ],
  });
  expect(await ada.call(readPlaybook, { params })).toEqual(saved);
  expect((await events()).at(-1)).toEqual({
    action: 'PLAYBOOK_UPDATED',
    metadata: { fields: ['title', 'description', 'checklistItems'] },
  });
});

test('saving an unchanged playbook is not an edit', async () => {
  expect(await ada.call(updatePlaybook, { params, body: edit() })).toEqual(playbook);
  expect((await events()).map(({ action }) => action)).toEqual(['PLAYBOOK_CREATED']);
});

test('of two edits of one version the later is refused, and nothing is overwritten', async () => {
  const ben = await newMember(app, ada, 'AGENT');
  const bens = await ben.call(updatePlaybook, { params, body: edit({ title: 'Ben’s' }) });
  expect(
    await ada.send('PUT', `/api/playbooks/${playbook.id}`, edit({ title: 'Ada’s' })),
  ).toMatchObject({
    status: 409,
    body: {
      code: 'playbook_changed',
      message: `${ben.user.firstName} changed this playbook while you were editing it. Their changes are kept.`,
    },
  });
  expect(await ada.call(readPlaybook, { params })).toEqual(bens);
});

test('of ten concurrent edits of one version exactly one is saved', async () => {
  const replies = await Promise.all(
    Array.from({ length: 10 }, (_, n) =>
      ada.send('PUT', `/api/playbooks/${playbook.id}`, edit({ title: `${n}` })),
    ),
  );
  expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)]);
});

test.each([
  [{ title: ' ' }, 'title', 'Title is required'],
  [{ checklistItems: [] }, 'checklistItems', 'At least one checklist item is required'],
  [{ checklistItems: [{ text: ' ' }] }, 'checklistItems.0.text', 'Item text is required'],
  [{ version: undefined }, 'version', 'Send the version that you read'],
])('%j is refused with the message of the spec', async (wrong, path, message) => {
  expect(await ada.send('PUT', `/api/playbooks/${playbook.id}`, edit(wrong))).toMatchObject({
    status: 400,
    body: { message, errors: [{ path, message }] },
  });
  expect(await ada.call(readPlaybook, { params })).toEqual(playbook);
});

test('an item of another playbook, or one twice, is refused, and neither playbook changes', async () => {
  const other = await ada.call(createPlaybook, {
    body: { title: 'Other', checklistItems: [item('theirs')] },
  });
  const [own] = playbook.checklistItems;
  const [theirs] = other.checklistItems;
  for (const ids of [[theirs?.id], [own?.id, own?.id]]) {
    const checklistItems = ids.map((id) => ({ id, text: 'x' }));
    expect(
      await ada.send('PUT', `/api/playbooks/${playbook.id}`, edit({ checklistItems })),
    ).toMatchObject({ status: 400, body: { code: 'item_not_in_playbook' } });
  }
  expect(await ada.call(listPlaybooks)).toEqual([other, playbook]);
});

test('running and ended calls keep the checklist that they started with', async () => {
  const { playbook: used, call } = await runningCall(ada);
  const [first] = used.checklistItems;
  const path = { params: { id: call.id } };
  await ada.call(updateCall, {
    ...path,
    body: { checklistStateJson: { [first?.id ?? '']: true } },
  });
  const before = await ada.call(readCall, path);
  await ada.call(updatePlaybook, {
    params: { id: used.id },
    body: { title: 'All new', checklistItems: [{ id: first?.id, text: 'Reworded' }], version: 1 },
  });
  await ada.call(archivePlaybook, { params: { id: used.id } });
  const { checklistItems, checklistStateJson } = await ada.call(readCall, path);
  expect({ checklistItems, checklistStateJson }).toEqual({
    checklistItems: before.checklistItems,
    checklistStateJson: before.checklistStateJson,
  });
  await ada.call(updateCall, { ...path, body: { endForEveryone: true } });
  expect((await ada.call(readCall, path)).checklistItems).toEqual(before.checklistItems);
});

test('an archived playbook moves to the archive, can still be read, and can be restored', async () => {
  const archived = await ada.call(archivePlaybook, { params });
  expect(archived).toMatchObject({
    status: 'archived',
    archivedAt: expect.stringMatching(/Z$/),
    archivedBy: { email: ada.user.email },
    version: 1,
  });
  expect(await ada.call(listPlaybooks)).toEqual([]);
  expect(await ada.call(listPlaybooks, { query: '?status=archived' })).toEqual([archived]);
  expect(await ada.call(readPlaybook, { params })).toEqual(archived);
  expect(await ada.call(restorePlaybook, { params })).toEqual(playbook);
  await ada.call(restorePlaybook, { params });
  expect((await events()).map(({ action }) => action)).toEqual([
    'PLAYBOOK_CREATED',
    'PLAYBOOK_ARCHIVED',
    'PLAYBOOK_RESTORED',
  ]);
});

test('a search matches anywhere in the title', async () => {
  const found = await ada.call(listPlaybooks, { query: '?search=BOARD' });
  expect(found.map(({ title }) => title)).toEqual(['Onboarding']);
  expect(await ada.call(listPlaybooks, { query: '?search=renewal' })).toEqual([]);
});

test('a viewer reads a playbook, and cannot change, archive or restore it', async () => {
  const viewer = await newMember(app, ada, 'VIEWER');
  const url = `/api/playbooks/${playbook.id}`;
  expect(await viewer.send('GET', url)).toMatchObject({ status: 200 });
  expect(await viewer.send('PUT', url, edit({ title: 'x' }))).toMatchObject({ status: 403 });
  expect(await viewer.send('PUT', `${url}/archive`)).toMatchObject({ status: 403 });
  expect(await viewer.send('DELETE', `${url}/archive`)).toMatchObject({ status: 403 });
  expect(await ada.call(readPlaybook, { params })).toEqual(playbook);
});
