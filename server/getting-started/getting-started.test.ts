import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FirstStep, readGettingStarted } from '#domain/getting-started/contract.ts';
import { createPlaybook } from '#domain/playbooks/contract.ts';
import { createRoom } from '#domain/rooms/contract.ts';
import { loadSamples } from '#domain/samples/contract.ts';
import { inviteUser } from '#domain/team/contract.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newMember, newOrganization, type Visitor } from '#server/testing/visitor.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

async function doneBy(visitor: Visitor): Promise<FirstStep[]> {
  const { done } = await visitor.call(readGettingStarted);
  return Object.entries(done)
    .filter(([, isDone]) => isDone)
    .map(([step]) => step as FirstStep);
}
const record = (visitor: Visitor, step: string) =>
  visitor.send('PUT', '/api/getting-started', { step });

async function endedCall(ada: Visitor & { user: { orgId: string | null } }, roomId: string) {
  await app.owner.query(
    `insert into calls (id, org_id, room_id, started_at, ended_at, duration_sec)
      values (gen_random_uuid(), $1, $2, now() - interval '5 minutes', now(), 300)`,
    [ada.user.orgId, roomId],
  );
}

test('each step ticks itself once it was done, by whatever way', async () => {
  const ada = await newOrganization(app);
  expect(await ada.call(readGettingStarted)).toMatchObject({ isShown: true });
  expect(await doneBy(ada)).toEqual([]);
  const body = { title: 'Renewal', checklistItems: [{ text: 'Ask' }] };
  await ada.call(createPlaybook, { body });
  expect(await doneBy(ada)).toEqual(['playbook']);
  const room = await ada.call(createRoom, { body: { topic: 'Acme' } });
  await record(ada, 'devices_tested');
  expect(await doneBy(ada)).toEqual(['playbook', 'room', 'devices']);
  await record(ada, 'link_copied');
  await endedCall(ada, room.id);
  expect(await doneBy(ada)).toEqual(['playbook', 'room', 'devices', 'link', 'call']);
  await ada.call(inviteUser, { body: { email: 'new@example.com', role: 'AGENT' } });
  expect(await doneBy(ada)).toHaveLength(6);
});

test('R14-2: the first call is looked for in the oldest 500 rooms, however many more there are', async () => {
  const ada = await newOrganization(app);
  const before = await ada.call(createRoom, { body: { topic: 'Acme' } });
  await app.owner.query(
    `insert into rooms (id, org_id, topic) select gen_random_uuid(), $1, 'Room' from generate_series(1, 499)`,
    [ada.user.orgId],
  );
  await app.owner.query(
    `insert into rooms (id, org_id, topic) values ('ffffffff-ffff-7fff-8fff-ffffffffffff', $1, 'Room')`,
    [ada.user.orgId],
  );
  await endedCall(ada, 'ffffffff-ffff-7fff-8fff-ffffffffffff');
  expect(await doneBy(ada)).not.toContain('call');
  await endedCall(ada, before.id);
  expect(await doneBy(ada)).toContain('call');
});

test('samples and the personal room are no steps', async () => {
  const ada = await newOrganization(app);
  await ada.send('GET', '/api/personal-room');
  await ada.call(loadSamples, { body: {} });
  expect(await doneBy(ada)).toEqual([]);
  expect(await ada.call(readGettingStarted)).toMatchObject({
    samplesLoadedAt: expect.any(String),
  });
});

test('devices are a person’s own, a copied link is the team’s, and one person dismisses for themselves', async () => {
  const ada = await newOrganization(app);
  const ben = await newMember(app, ada, 'AGENT');
  await record(ada, 'devices_tested');
  await record(ada, 'link_copied');
  expect(await record(ada, 'dismissed')).toMatchObject({ status: 204 });
  expect(await record(ada, 'dismissed')).toMatchObject({ status: 204 });
  expect(await ada.call(readGettingStarted)).toMatchObject({ isShown: false });
  expect(await ben.call(readGettingStarted)).toMatchObject({ isShown: true });
  expect(await doneBy(ben)).toEqual(['link', 'team']);
});

test('who joins after the first call does not get the list, and viewers never do', async () => {
  const ada = await newOrganization(app);
  const room = await ada.call(createRoom, { body: { topic: 'Acme' } });
  await endedCall(ada, room.id);
  const ben = await newMember(app, ada, 'AGENT');
  await app.owner.query(
    `update memberships set created_at = now() + interval '1 second' where account_id = $1`,
    [ben.user.id],
  );
  expect(await ben.call(readGettingStarted)).toMatchObject({ isShown: false });
  expect(await ada.call(readGettingStarted)).toMatchObject({ isShown: true });
  const viewer = await newMember(app, ada, 'VIEWER');
  expect(await viewer.send('GET', '/api/getting-started')).toMatchObject({ status: 403 });
  expect(await record(viewer, 'dismissed')).toMatchObject({ status: 403 });
});

test('an unknown step is refused', async () => {
  const ada = await newOrganization(app);
  expect(await record(ada, 'team')).toMatchObject({ status: 400 });
});
