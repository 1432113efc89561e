import { afterAll, beforeAll, expect, test } from 'vitest';
import { readAnalytics } from '#domain/analytics/contract.ts';
import { listCalls } from '#domain/calls/contract.ts';
import { callId } from '#domain/ids.ts';
import { listPlaybooks } from '#domain/playbooks/contract.ts';
import { liftLegalHold, placeLegalHold } from '#domain/recordings/contract.ts';
import { createRoom, listRooms } from '#domain/rooms/contract.ts';
import { loadSamples, removeSamples } from '#domain/samples/contract.ts';
import { sendDueMails } from '#server/mail/send-mails.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newMember, newOrganization } from '#server/testing/visitor.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

/** An organization with one real call, a room, and the samples. */
async function withSamples() {
  const ada = await newOrganization(app);
  const room = await ada.call(createRoom, { body: { topic: 'Real' } });
  await app.owner.query(
    `insert into calls (id, org_id, room_id, started_by, started_at, ended_at, duration_sec)
      values (gen_random_uuid(), $1, $2, $3, now() - interval '1 hour',
        now() - interval '50 minutes', 600)`,
    [ada.user.orgId, room.id, ada.user.id],
  );
  const before = await ada.call(readAnalytics);
  await ada.call(loadSamples, { body: {} });
  return { ada, room, before };
}

test('loaded samples are rooms, playbooks and calls that say so', async () => {
  const { ada } = await withSamples();
  const rooms = await ada.call(listRooms);
  expect(rooms.map(({ sample }) => sample ?? false)).toEqual([true, true, true, false]);
  expect(rooms.filter(({ sample }) => sample).map(({ callCount }) => callCount)).toEqual([2, 2, 3]);
  const playbooks = await ada.call(listPlaybooks);
  expect(playbooks.map(({ sample }) => sample)).toEqual([true, true, true]);
  const calls = await ada.call(listCalls);
  expect(calls.filter(({ sample }) => sample)).toHaveLength(7);
  expect(calls.filter(({ sample }) => !sample)).toHaveLength(1);
  expect(calls.find(({ npsScore }) => npsScore === 10)).toMatchObject({
    room: { topic: 'Cedar Clinics: onboarding' },
    npsFeedback: 'They offered to be a reference.',
  });
});

test('samples are not removed while one of their calls is under legal hold, and the answer says so', async () => {
  const { ada } = await withSamples();
  const [call] = (await ada.call(listCalls)).filter(({ sample }) => sample);
  const params = { id: call?.id ?? callId.parse('') };
  await ada.call(placeLegalHold, { params, body: { reason: 'Case 12' } });
  const refused = { status: 409, body: { code: 'legal_hold' } };
  expect(await ada.send('DELETE', '/api/samples')).toMatchObject(refused);
  expect((await ada.call(listCalls)).filter(({ sample }) => sample)).toHaveLength(7);
  await ada.call(liftLegalHold, { params });
  await ada.call(removeSamples);
  expect((await ada.call(listCalls)).filter(({ sample }) => sample)).toEqual([]);
});

test('samples use up no call of the plan, and mail no one', async () => {
  const { ada } = await withSamples();
  await sendDueMails(app.services);
  expect(app.mails.filter(({ to }) => to === ada.user.email)).toEqual([]);
  const usage = await ada.send('GET', '/api/billing');
  expect(JSON.stringify(usage.body)).toMatch(/"calls\w*":1[,}]/);
});

test('a sample room has no calls, no address and no links, and its playbook is chosen for no other room', async () => {
  const { ada } = await withSamples();
  const [sample] = await ada.call(listRooms);
  const refused = { status: 409, body: { code: 'room_is_sample' } };
  expect(await ada.send('POST', '/api/calls', { roomId: sample?.id })).toMatchObject(refused);
  for (const path of ['', '/guest-link'])
    expect(await ada.send('GET', `/api/rooms/${sample?.id}${path}`)).toMatchObject(refused);
  expect(
    await ada.send('POST', `/api/rooms/${sample?.id}/guest-links`, { name: 'For them' }),
  ).toMatchObject(refused);
  const body = { topic: 'Mine', playbookId: sample?.playbookId };
  expect(await ada.send('POST', '/api/rooms', body)).toMatchObject({
    status: 409,
    body: { code: 'playbook_is_sample' },
  });
});

test('samples are loaded once, and removed with everything in them and nothing else', async () => {
  const { ada, room, before } = await withSamples();
  const other = await withSamples();
  expect(await ada.send('POST', '/api/samples', {})).toMatchObject({ status: 200 });
  expect(await ada.call(listRooms)).toHaveLength(4);
  await ada.call(removeSamples);
  await ada.call(removeSamples);
  expect((await ada.call(listRooms)).map(({ id }) => id)).toEqual([room.id]);
  expect(await ada.call(listPlaybooks)).toEqual([]);
  expect(await ada.call(listCalls)).toHaveLength(1);
  expect(await ada.call(readAnalytics)).toEqual(before);
  expect(await other.ada.call(listRooms)).toHaveLength(4);
  const { rows } = await app.owner.query(
    `select action, metadata from audit_events
      where org_id = $1 and action like 'SAMPLES%' order by id`,
    [ada.user.orgId],
  );
  expect(rows).toEqual([
    { action: 'SAMPLES_CREATED', metadata: null },
    { action: 'SAMPLES_REMOVED', metadata: { rooms: 3, playbooks: 3 } },
  ]);
  await ada.call(loadSamples, { body: { language: 'de' } });
  expect((await ada.call(listRooms))[0]?.topic).toBe('Hotels am Park: Verlängerung');
});

test.each(['AGENT', 'VIEWER'] as const)(
  'for %s, samples can be neither loaded nor removed',
  async (role) => {
    const { ada } = await withSamples();
    const member = await newMember(app, ada, role);
    expect(await member.send('POST', '/api/samples', {})).toMatchObject({ status: 403 });
    expect(await member.send('DELETE', '/api/samples')).toMatchObject({ status: 403 });
  },
);
