// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { AuditPage } from '#web/audit/audit-page.tsx';
import { kindOf } from '#web/audit/event-kind.ts';
import { queryOf } from '#web/audit/use-audit-filter.ts';
import { formatDateTime } from '#web/platform/time-ago.ts';
import { fakeServer, refusal } from '#web/testing/fake-server.ts';
import { ada, show, someId } from '#web/testing/show.tsx';

const event = {
  id: someId(90),
  action: 'ROLE_UPDATED',
  entity: 'account',
  entityId: someId(11),
  target: { name: 'Ben Okri' },
  userId: someId(1),
  actor: { kind: 'user', name: 'Ada Lovelace' },
  createdAt: '2026-03-04T09:00:00Z',
  metadata: { role: { from: 'AGENT', to: 'VIEWER' } },
};
const { userId: _, metadata: __, ...bare } = event;
const closed = {
  ...bare,
  id: someId(89),
  action: 'CALL_ENDED',
  actor: { kind: 'system', name: 'System' },
};
const open = (role: 'SUPERADMIN' | 'ORGADMIN' | 'AGENT' | 'VIEWER' = 'ORGADMIN') =>
  show(<AuditPage />, { user: { ...ada, role } });
const rowOf = async (text: string) =>
  within((await screen.findByText(text)).closest('tr') ?? document.body);

test('an event shows action, target, person, time, and metadata', async () => {
  fakeServer({ 'GET /api/audit-events': [event, closed] });
  const { by } = open();
  const row = await rowOf('ROLE UPDATED');
  expect(screen.getByRole('heading', { name: 'Audit Logs' })).toBeTruthy();
  expect(screen.getByText('Track all system activities and changes')).toBeTruthy();
  expect(screen.getByRole('heading', { name: 'Recent Activity' })).toBeTruthy();
  const titles = screen.getAllByRole('columnheader').map((cell) => cell.textContent);
  expect(titles.slice(-5)).toEqual(['Action', 'Entity', 'User', 'Timestamp', 'Details']);
  for (const text of ['account', 'Ada Lovelace', event.userId, formatDateTime(event.createdAt)])
    expect(row.getByText(text), text).toBeTruthy();
  await by.click(row.getByText('View metadata'));
  expect(row.getByText(/"from"/).textContent).toBe(JSON.stringify(event.metadata, null, 2));
  const second = await rowOf('CALL ENDED');
  expect(second.getByText('System')).toBeTruthy();
  expect(second.queryByText('View metadata')).toBe(null);
});

test('an event names what it changed, and leads to it; what is gone has no name', async () => {
  const id = someId(12);
  const room = { ...closed, entity: 'room', entityId: id, target: { name: 'Acme' } };
  const link = {
    ...room,
    id: someId(88),
    entity: 'guest_link',
    target: { name: 'Fair', roomId: id },
  };
  const gone = { ...room, id: someId(87), entity: 'call', target: null };
  fakeServer({ 'GET /api/audit-events': [event, room, link, gone] });
  open();
  const href = async (name: string) =>
    (await screen.findByRole('link', { name })).getAttribute('href');
  expect(await href('Ben Okri')).toBe(`/app/settings/audit-logs?person=${someId(11)}`);
  expect(await href('Acme')).toBe(`/app/rooms/${id}`);
  expect(await href('Fair')).toBe(`/app/rooms/${id}`);
  expect(within(screen.getByText('call').closest('tr') ?? document.body).queryByRole('link')).toBe(
    null,
  );
});

test('a guest is shown as a guest, with System in place of the user id', async () => {
  fakeServer({ 'GET /api/audit-events': [{ ...closed, actor: { kind: 'guest', name: 'Guest' } }] });
  open('SUPERADMIN');
  const row = await rowOf('CALL ENDED');
  expect(row.getByText('Guest')).toBeTruthy();
  expect(row.getByText('System')).toBeTruthy();
});

test('the table scrolls within 600 px and is reachable by keyboard', async () => {
  fakeServer({ 'GET /api/audit-events': [event] });
  open();
  const frame = await screen.findByRole('region', { name: 'Recent Activity' });
  expect(frame.className).toContain('h-[600px]');
  expect(frame.tabIndex).toBe(0);
});

test('further pages are loaded on demand, as long as the Link header names one', async () => {
  const pages = [
    Response.json([event], {
      headers: { link: `</api/audit-events?limit=100&before=${event.id}>; rel="next"` },
    }),
    Response.json([closed]),
  ];
  fakeServer({ 'GET /api/audit-events': () => pages.shift() ?? refusal(500) });
  const { by } = open();
  await by.click(await screen.findByRole('button', { name: 'Load more' }));
  expect(await screen.findByText('CALL ENDED')).toBeTruthy();
  expect(screen.getByText('ROLE UPDATED')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Load more' })).toBe(null);
});

test('loading, empty and failed each show a text', async () => {
  fakeServer({ 'GET /api/audit-events': () => new Promise(() => {}) });
  const waiting = open();
  expect(screen.getByText('Loading audit logs...')).toBeTruthy();
  waiting.unmount();
  fakeServer({ 'GET /api/audit-events': [] });
  const empty = open();
  expect(await screen.findByText('No audit events recorded yet')).toBeTruthy();
  empty.unmount();
  fakeServer({ 'GET /api/audit-events': () => refusal(500, { message: 'Back soon' }) });
  open();
  expect(await screen.findByText('Back soon')).toBeTruthy();
});

test.each(['AGENT', 'VIEWER'] as const)('%s is denied, and no request is sent', (role) => {
  const asked = fakeServer({ 'GET /api/audit-events': [event] });
  open(role);
  expect(screen.getByText('Access Denied')).toBeTruthy();
  expect(screen.getByText('Only admins can view audit logs')).toBeTruthy();
  expect(asked).toEqual([]);
});

test('an admin without an organization sends no request either', () => {
  const asked = fakeServer({});
  show(<AuditPage />, { user: { ...ada, role: 'SUPERADMIN', orgId: null } });
  expect(screen.getByText('Access Denied')).toBeTruthy();
  expect(asked).toEqual([]);
});

test.each([
  ['MEMBER_REMOVED', 'delete'],
  ['ROOM_CREATED', 'create'],
  ['ROLE_UPDATED', 'update'],
  ['USER_INVITED', 'invite'],
  ['CALL_RATED', 'other'],
])('%s has the icon of %s', (action, kind) => {
  expect(kindOf(action)).toBe(kind);
});

test('the filters are in the address, and a text shows if no event matches', async () => {
  const asked: string[] = [];
  fakeServer({
    'GET /api/audit-events': ({ query }) => {
      asked.push(query);
      return query.includes('action=') ? [] : [event];
    },
    'GET /api/audit-events/choices': {
      actions: ['ROLE_UPDATED', 'ROOM_CREATED'],
      people: [{ id: someId(1), name: 'Ada Lovelace' }],
    },
  });
  const { by } = open();
  await screen.findByRole('option', { name: 'ROOM CREATED' });
  await by.selectOptions(screen.getByLabelText('Action'), 'ROOM_CREATED');
  expect(await screen.findByText('No events match these filters')).toBeTruthy();
  expect(screen.getByTestId('address').textContent).toContain('?action=ROOM_CREATED');
  await by.selectOptions(screen.getByLabelText('Person'), 'Ada Lovelace');
  await waitFor(() => expect(asked.at(-1)).toContain(`action=ROOM_CREATED&userId=${someId(1)}`));
  await by.click(screen.getAllByRole('button', { name: 'Clear filters' })[0] as HTMLElement);
  expect(await screen.findByText('ROLE UPDATED', { selector: 'td *' })).toBeTruthy();
  expect(screen.getByTestId('address').textContent).not.toContain('action=');
});

test('the days of the filter are in the reader’s time zone, and both are included', () => {
  const query = queryOf({ action: '', person: '', from: '2026-03-01', to: '2026-03-01' });
  expect(query).toEqual({
    from: new Date(2026, 2, 1).toISOString(),
    to: new Date(2026, 2, 2).toISOString(),
  });
  expect(queryOf({ action: 'x', person: 'me', from: 'then', to: '' })).toEqual({});
});

test('the log is exported as CSV or JSON lines, with its filters', async () => {
  fakeServer({
    'GET /api/audit-events': [event],
    'GET /api/audit-events/choices': () => refusal(500),
  });
  const { by } = show(<AuditPage />, {
    user: { ...ada, role: 'ORGADMIN' },
    path: '/app/settings/audit-logs?action=ROLE_UPDATED',
  });
  await by.click(screen.getByRole('button', { name: 'Export' }));
  const hrefs = screen.getAllByRole('menuitem').map((item) => item.getAttribute('href'));
  expect(hrefs).toEqual([
    '/api/audit-events/export?format=csv&action=ROLE_UPDATED',
    '/api/audit-events/export?format=jsonl&action=ROLE_UPDATED',
  ]);
});
