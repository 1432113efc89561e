import { afterAll, beforeAll, expect, test } from 'vitest';
import { addChecklistItem, startCall, updateCall } from '#domain/calls/contract.ts';
import { createPlaybook, readPlaybookUse } from '#domain/playbooks/contract.ts';
import { archiveRoom, createRoom } from '#domain/rooms/contract.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newOrganization } from '#server/testing/visitor.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

test('a playbook’s use has its active rooms, and each step’s completion over ended calls', async () => {
  const ada = await newOrganization(app);
  const playbook = await ada.call(createPlaybook, {
    body: { title: 'Kick-off', checklistItems: [{ text: 'Greet' }, { text: 'Agree' }] },
  });
  const [greet, agree] = playbook.checklistItems.map(({ id }) => id);
  if (!greet || !agree) throw new Error('it has two steps');
  const body = { topic: 'Acme', playbookId: playbook.id };
  const room = await ada.call(createRoom, { body });
  const archived = await ada.call(createRoom, { body: { ...body, topic: 'Old' } });
  await ada.call(archiveRoom, { params: { id: archived.id } });
  const hold = async (ticks: Record<string, boolean>, isEnded = true) => {
    const { id } = await ada.call(startCall, { body: { roomId: room.id } });
    const changes = { checklistStateJson: ticks, ...(isEnded && { endForEveryone: true }) };
    await ada.call(updateCall, { params: { id }, body: changes });
    return id;
  };
  await hold({ [greet]: true, [agree]: true });
  await hold({ [greet]: true, [agree]: false });
  const running = await hold({ [greet]: false, [agree]: false }, false);
  const added = { params: { id: running }, body: { text: 'Another' } };
  const { id: another } = await ada.call(addChecklistItem, added);
  const params = { id: playbook.id };
  const use = await ada.call(readPlaybookUse, { params });
  expect(use.rooms).toEqual([{ id: room.id, topic: 'Acme' }]);
  expect(use.calls).toBe(2);
  const steps = new Map(use.steps.map(({ id, calls, done }) => [id, [calls, done]]));
  expect([steps.get(greet), steps.get(agree), steps.get(another)]).toEqual([
    [2, 2],
    [2, 1],
    undefined,
  ]);
});

test('a playbook without calls has no steps in use, and another organization’s is not found', async () => {
  const ada = await newOrganization(app);
  const playbook = await ada.call(createPlaybook, {
    body: { title: 'New', checklistItems: [{ text: 'Greet' }] },
  });
  const params = { id: playbook.id };
  expect(await ada.call(readPlaybookUse, { params })).toEqual({ rooms: [], calls: 0, steps: [] });
  const eve = await newOrganization(app);
  expect((await eve.send('GET', `/api/playbooks/${playbook.id}/use`)).status).toBe(404);
});
