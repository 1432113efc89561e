import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { AuditEvent } from '#domain/audit/contract.ts';
import { orgId } from '#domain/ids.ts';
import { createRoom } from '#domain/rooms/contract.ts';
import { removeUser } from '#domain/team/contract.ts';
import { tenantOf } from '#server/platform/access.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newMember, newOrganization } from '#server/testing/visitor.ts';
import { exportEvents } from './export-events.ts';

let app: TestApp;
let ada: Awaited<ReturnType<typeof newOrganization>>;
beforeAll(async () => {
  app = await openTestApp();
});
beforeEach(async () => {
  ada = await newOrganization(app);
});
afterAll(() => app.close());

const newRoom = (topic: string) => ada.call(createRoom, { body: { topic } });
const list = async (query: string) =>
  (await ada.send('GET', `/api/audit-events${query}`)).body as AuditEvent[];
const actions = async (query: string) => (await list(query)).map(({ action }) => action);

test('the server filters the log by action, person, and date, and by all of them together', async () => {
  const bob = await newMember(app, ada, 'AGENT');
  await newRoom('A');
  await bob.call(createRoom, { body: { topic: 'B' } });
  expect(await actions('?action=ROOM_CREATED')).toEqual(['ROOM_CREATED', 'ROOM_CREATED']);
  expect(await actions(`?userId=${bob.user.id}`)).toEqual(['ROOM_CREATED']);
  expect(await actions(`?action=ORGANIZATION_CREATED&userId=${bob.user.id}`)).toEqual([]);
  const [newest] = await list('');
  const at = Date.parse(newest?.createdAt ?? '');
  const iso = (ms: number) => new Date(ms).toISOString();
  expect((await list(`?from=${iso(at - 60_000)}&to=${iso(at + 60_000)}`)).length).toBe(4);
  expect(await list(`?from=${iso(at + 60_000)}`)).toEqual([]);
  expect(await list(`?to=${iso(at - 60_000)}`)).toEqual([]);
});

test('a filtered list has pages like the whole list', async () => {
  for (const topic of ['A', 'B', 'C']) await newRoom(topic);
  const first = await ada.send('GET', '/api/audit-events?action=ROOM_CREATED&limit=2');
  const next = String(first.headers.link).match(/<([^>]*)>/)?.[1] ?? '';
  expect(next).toContain('action=ROOM_CREATED');
  const second = (await ada.send('GET', next)).body as AuditEvent[];
  expect(second.map(({ action }) => action)).toEqual(['ROOM_CREATED']);
});

test.each(['action=nothing%20such', 'userId=me', 'from=yesterday', 'to=2026-13-40'])(
  'an invalid filter (%s) is refused with 400',
  async (query) => {
    expect((await ada.send('GET', `/api/audit-events?${query}`)).status).toBe(400);
  },
);

test('each filter has an index of its own', async () => {
  const { rows } = await app.owner.query<{ indexdef: string }>(
    `select indexdef from pg_indexes where tablename = 'audit_events'`,
  );
  const defined = rows.map(({ indexdef }) => indexdef).join('\n');
  for (const columns of ['(org_id, id DESC)', '(org_id, action, id', '(org_id, actor_id, id'])
    expect(defined).toContain(columns);
});

test('the filter choices are the actions and people in the log of this organization only', async () => {
  const stranger = await newOrganization(app);
  await newRoom('A');
  const { body } = await ada.send('GET', '/api/audit-events/choices');
  expect(body).toEqual({
    actions: ['ORGANIZATION_CREATED', 'ROOM_CREATED', 'SIGNED_IN'],
    people: [{ id: ada.user.id, name: `${ada.user.firstName} ${ada.user.lastName}` }],
  });
  expect(JSON.stringify(body)).not.toContain(stranger.user.id);
});

test('the CSV export has a line per event, and is an event itself', async () => {
  await newRoom('A');
  const reply = await ada.send('GET', '/api/audit-events/export?format=csv');
  expect(reply.headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(reply.headers['content-disposition']).toMatch(/^attachment; filename="audit-log-.*csv"$/);
  const lines = String(reply.body).split('\r\n');
  expect(lines[0]).toBe(
    '\uFEFFcreatedAt,action,entity,entityId,userId,actor,actorKind,address,metadata,id',
  );
  expect(lines.slice(1, -1).map((line) => line.split(',')[1])).toEqual([
    'AUDIT_LOG_EXPORTED',
    'ROOM_CREATED',
    'SIGNED_IN',
    'ORGANIZATION_CREATED',
  ]);
  expect((await list('?action=AUDIT_LOG_EXPORTED'))[0]).toMatchObject({
    userId: ada.user.id,
    address: '127.0.0.1',
    metadata: { format: 'csv' },
  });
});

test('attack 33: a name that is a formula becomes text in the exported CSV', async () => {
  await app.owner.query(`update accounts set first_name = '=HYPERLINK("x")' where id = $1`, [
    ada.user.id,
  ]);
  const { body } = await ada.send('GET', '/api/audit-events/export');
  expect(body).toContain(`"'=HYPERLINK(""x"")`);
  expect(body).not.toMatch(/(^|,)"?=/m);
});

test('a log longer than a page is exported completely, each event once, as JSON lines', async () => {
  await app.owner.query(
    `insert into audit_events (id, org_id, actor_kind, action, entity)
      select gen_random_uuid(), $1, 'system', 'OLD', 'room' from generate_series(1, 1200)`,
    [ada.user.orgId],
  );
  const { body, headers } = await ada.send(
    'GET',
    '/api/audit-events/export?format=jsonl&action=OLD',
  );
  expect(headers['content-type']).toBe('application/jsonl; charset=utf-8');
  const events = String(body)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as AuditEvent);
  expect(new Set(events.map(({ id }) => id)).size).toBe(1200);
  expect(events.every(({ action }) => action === 'OLD')).toBe(true);
});

test('R7-4: the exports of an organization together read events at a bounded rate', async () => {
  await app.owner.query(
    `insert into audit_events (id, org_id, actor_kind, action, entity)
     select gen_random_uuid(), $1, 'system', 'MANY', 'room' from generate_series(1, 600)`,
    [ada.user.orgId],
  );
  const from = performance.now();
  const url = '/api/audit-events/export?format=jsonl&action=MANY';
  const exports = await Promise.all(Array.from({ length: 10 }, () => ada.send('GET', url)));
  const seconds = (performance.now() - from) / 1000;
  const lines = exports.map(({ body }) => String(body).trim().split('\n').length);
  expect(lines).toEqual(Array(10).fill(600));
  // Ten times three pages of 200, and one that is empty.
  expect(10 * 800).toBeLessThan(400 + 4_000 * (seconds + 0.1));
});

test('R4-8: an export ends once its reader is no longer a member', async () => {
  const mal = await newMember(app, ada, 'ORGADMIN');
  const { rows } = await app.owner.query('select id from sessions where account_id = $1', [
    mal.user.id,
  ]);
  const actor = {
    kind: 'user',
    accountId: mal.user.id,
    orgId: orgId.parse(ada.user.orgId),
  } as const;
  const by = { session: rows[0], permission: 'audit.read' } as const;
  const tenant = tenantOf(app.services.database, { ...actor, role: 'ORGADMIN' }, null, by);
  await app.owner.query(
    `insert into audit_events (id, org_id, actor_kind, action, entity, created_at)
     select gen_random_uuid(), $1, 'system', 'OLD', 'room', now() from generate_series(1, 3000)`,
    [ada.user.orgId],
  );
  const { content } = await exportEvents(tenant, 'jsonl', {});
  const pages = content[Symbol.asyncIterator]();
  expect((await pages.next()).done).toBe(false);
  await ada.call(removeUser, { params: { id: mal.user.id } });
  const readOn = async () => {
    while (!(await pages.next()).done);
  };
  await expect(readOn()).rejects.toMatchObject({ kind: 'unauthorized' });
});

test.each(['AGENT', 'VIEWER'] as const)(
  '%s may neither filter nor export the log',
  async (role) => {
    const member = await newMember(app, ada, role);
    for (const path of ['', '/choices', '/export'])
      expect((await member.send('GET', `/api/audit-events${path}`)).status).toBe(403);
  },
);

test('an event names what it changed, also a person who was removed, and nothing that is gone', async () => {
  const bob = await newMember(app, ada, 'AGENT');
  const room = await newRoom('Acme');
  await ada.call(removeUser, { params: { id: bob.user.id } });
  const target = async (action: string) => (await list(`?action=${action}`))[0]?.target;
  const { firstName, lastName } = bob.user;
  expect(await target('MEMBER_REMOVED')).toEqual({ name: `${firstName} ${lastName}` });
  expect(await target('ROOM_CREATED')).toEqual({ name: 'Acme' });
  await app.owner.query('delete from rooms where id = $1', [room.id]);
  expect(await target('ROOM_CREATED')).toBe(null);
});
