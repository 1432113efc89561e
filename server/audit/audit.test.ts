import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { updateCall } from '#domain/calls/contract.ts';
import { orgId } from '#domain/ids.ts';
import { createPlaybook } from '#domain/playbooks/contract.ts';
import { createRoom, readGuestLink, renewGuestLink } from '#domain/rooms/contract.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newOrganization, runningCall } from '#server/testing/visitor.ts';
import { makeAuditPartitions } from './jobs.ts';

let app: TestApp;
let ada: Awaited<ReturnType<typeof newOrganization>>;
beforeAll(async () => {
  app = await openTestApp();
});
beforeEach(async () => {
  ada = await newOrganization(app);
});
afterAll(() => app.close());

interface Event {
  action: string;
  entity: string;
  entity_id: string;
  actor_kind: string;
  actor_id: string;
  metadata: Record<string, unknown> | null;
  address: string;
}

async function eventsOf(visitor = ada): Promise<Event[]> {
  const { rows } = await app.owner.query(
    'select * from audit_events where org_id = $1 order by id',
    [visitor.user.orgId],
  );
  return rows;
}

/** Returns the events that the change adds to the log. */
async function left(change: () => Promise<unknown>): Promise<Event[]> {
  const before = (await eventsOf()).length;
  await change();
  return (await eventsOf()).slice(before);
}

test('registering leaves two events: the organization is created by its registrant, who signs in', async () => {
  expect(await eventsOf()).toMatchObject([
    {
      action: 'ORGANIZATION_CREATED',
      entity: 'organization',
      entity_id: ada.user.orgId,
      actor_kind: 'user',
      actor_id: ada.user.id,
      address: '127.0.0.1',
    },
    { action: 'SIGNED_IN', entity: 'account', entity_id: ada.user.id, address: '127.0.0.1' },
  ]);
});

test('each change leaves exactly one event, which names it and its actor', async () => {
  const { playbook, room, call } = await runningCall(ada);
  const [item] = playbook.checklistItems;
  const put = (body: object) => () => ada.call(updateCall, { params: { id: call.id }, body });
  const params = { id: room.id };
  const changes: [() => Promise<unknown>, string, string | undefined][] = [
    [
      () => ada.call(createPlaybook, { body: { title: 'A', checklistItems: [{ text: 'B' }] } }),
      'PLAYBOOK_CREATED',
      undefined,
    ],
    [() => ada.call(createRoom, { body: { topic: 'C' } }), 'ROOM_CREATED', undefined],
    [() => ada.call(readGuestLink, { params }), 'GUEST_LINK_CREATED', undefined],
    [() => ada.call(renewGuestLink, { params }), 'GUEST_LINK_RENEWED', undefined],
    [put({ checklistStateJson: { [`${item?.id}`]: true } }), 'CALL_ITEM_CHECKED', call.id],
    [put({ checklistStateJson: {} }), 'CALL_ITEM_UNCHECKED', call.id],
    [put({ notesSnapshot: 'words' }), 'CALL_UPDATED', call.id],
    [put({ npsScore: 9, npsFeedback: 'more words' }), 'CALL_RATED', call.id],
    [put({ endedAt: new Date().toISOString() }), 'CALL_ENDED', call.id],
  ];
  for (const [change, action, entityId] of changes) {
    const events = await left(change);
    expect(events).toMatchObject([
      { action, actor_kind: 'user', actor_id: ada.user.id, address: '127.0.0.1' },
    ]);
    if (entityId) expect(events[0]?.entity_id).toBe(entityId);
  }
});

test('a request that changes nothing leaves no event', async () => {
  const { playbook, room, call } = await runningCall(ada);
  const [item] = playbook.checklistItems;
  const put = (body: object) => ada.call(updateCall, { params: { id: call.id }, body });
  const state = { checklistStateJson: { [`${item?.id}`]: true } };
  await put({ ...state, notesSnapshot: 'words', endForEveryone: true });
  await ada.call(readGuestLink, { params: { id: room.id } });
  expect(
    await left(async () => {
      await put(state);
      await put({ notesSnapshot: 'words' });
      await put({ endForEveryone: true });
      await put({});
      await ada.call(readGuestLink, { params: { id: room.id } });
      await ada.send('GET', '/api/rooms');
    }),
  ).toEqual([]);
});

test('only the first notes of a call leave an event', async () => {
  const { call } = await runningCall(ada);
  const put = (notesSnapshot: string) =>
    ada.call(updateCall, { params: { id: call.id }, body: { notesSnapshot } });
  await put('a');
  expect(await left(() => put('ab').then(() => put('abc')))).toEqual([]);
});

test('a change that fails leaves neither itself nor an event', async () => {
  const { call, playbook } = await runningCall(ada);
  const [item] = playbook.checklistItems;
  const tooMuch = {
    checklistStateJson: { [`${item?.id}`]: true },
    npsScore: 3,
    notesUpdate: Buffer.from('no Yjs update').toString('base64'),
  };
  const events = await left(() => ada.send('PUT', `/api/calls/${call.id}`, tooMuch));
  expect(events).toEqual([]);
  expect((await ada.send('GET', `/api/calls/${call.id}`)).body).toMatchObject({
    npsScore: null,
    checklistStateJson: { [`${item?.id}`]: false },
  });
});

test('without its event no change is stored: they are one transaction', async () => {
  const { call, playbook } = await runningCall(ada);
  const [item] = playbook.checklistItems;
  await app.owner.query(
    `alter table audit_events add constraint nothing check (created_at < '2000-01-01') not valid`,
  );
  try {
    const bodies = [
      { npsScore: 3 },
      { notesSnapshot: 'unheard' },
      { checklistStateJson: { [`${item?.id}`]: true } },
      { endForEveryone: true },
    ];
    for (const body of bodies) {
      expect((await ada.send('PUT', `/api/calls/${call.id}`, body)).status).toBe(500);
    }
    expect((await ada.send('POST', '/api/rooms', { topic: 'unheard' })).status).toBe(500);
  } finally {
    await app.owner.query('alter table audit_events drop constraint nothing');
  }
  expect((await ada.send('GET', `/api/calls/${call.id}`)).body).toMatchObject({
    npsScore: null,
    notesSnapshot: null,
    endedAt: null,
    checklistStateJson: { [`${item?.id}`]: false },
  });
  const rooms = (await ada.send('GET', '/api/rooms')).body as object[];
  expect(rooms).toHaveLength(1);
});

test('events hold IDs and names of fields, never what people wrote', async () => {
  const secret = 'wörds-that-nobody-logs';
  const { room } = await runningCall(ada);
  const { id } = await ada.call(createRoom, { body: { topic: secret } });
  await ada.call(createPlaybook, {
    body: { title: secret, description: secret, checklistItems: [{ text: secret }] },
  });
  const call = (await ada.send('POST', '/api/calls', { roomId: id })).body as { id: string };
  await ada.call(updateCall, {
    params: { id: call.id },
    body: { notesSnapshot: secret, npsScore: 1, npsFeedback: secret },
  });
  await ada.call(renewGuestLink, { params: { id: room.id } });
  const text = JSON.stringify(await eventsOf());
  expect(text).not.toContain(secret);
  expect(text).not.toContain('Kick-off');
  expect(text).not.toContain(ada.user.email);
  const rated = (await eventsOf()).find((event) => event.action === 'CALL_RATED');
  expect(rated?.metadata).toEqual({ fields: ['npsScore', 'npsFeedback'] });
});

const months = async () => {
  const { rows } = await app.owner.query<{ name: string }>(
    `select inhrelid::regclass::text as name from pg_inherits
      where inhparent = 'audit_events'::regclass order by 1`,
  );
  return rows.map((row) => row.name);
};
const nameOf = (date: Date) =>
  `audit_events_${date.getUTCFullYear()}_${String(date.getUTCMonth() + 1).padStart(2, '0')}`;

test('the coming three months have partitions, and new events are in this month’s', async () => {
  await makeAuditPartitions(app.services);
  const now = new Date();
  for (const ahead of [0, 1, 2, 3]) {
    const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead, 1));
    expect(await months()).toContain(nameOf(month));
  }
  const { rows } = await app.owner.query(
    'select distinct tableoid::regclass::text as name from audit_events',
  );
  expect(rows).toEqual([{ name: nameOf(now) }]);
});

test('creating partitions again adds none, and new ones have row-level security', async () => {
  const before = await months();
  await makeAuditPartitions(app.services);
  expect(await months()).toEqual(before);
  const { rows } = await app.owner.query(`select make_audit_partitions('2031-11-15', 3) as made`);
  expect(rows).toEqual([{ made: 3 }]);
  expect(await months()).toEqual(expect.arrayContaining(['audit_events_2032_01']));
  const open = await app.owner.query(
    `select relname from pg_class where relname like 'audit\\_events\\_%' and relkind = 'r'
      and not (relrowsecurity and relforcerowsecurity)`,
  );
  expect(open.rows).toEqual([]);
});

test('R28-B2: beside a long transaction no partition is made, and no one waits for it', async () => {
  const [used, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const long = app.services.database.transaction('outside', async ({ query }) => {
    await query('lock table audit_events in row exclusive mode', []);
    used.resolve();
    await ended.promise;
  });
  await used.promise;
  const make = async () =>
    (await app.owner.query(`select make_audit_partitions('2033-05-15', 1) as made`)).rows;
  expect(await make()).toEqual([{ made: 0 }]);
  ended.resolve();
  await long;
  expect(await make()).toEqual([{ made: 1 }]);
});

test('an event with a time outside of all partitions is stored', async () => {
  await app.services.database.transaction(orgId.parse(ada.user.orgId), ({ query }) =>
    query(
      `insert into audit_events (id, org_id, actor_kind, action, entity, created_at)
        values (gen_random_uuid(), '${ada.user.orgId}', 'system', 'OLD', 'room', '1999-06-01')`,
      [],
    ),
  );
  expect((await eventsOf()).map((event) => event.action)).toContain('OLD');
});
