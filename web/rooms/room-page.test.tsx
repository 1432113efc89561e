// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { accountId } from '#domain/ids.ts';
import { AppRoutes } from '#web/routes.tsx';
import { fakeServer } from '#web/testing/fake-server.ts';
import { ada, show, someId } from '#web/testing/show.tsx';
import { someCall, somePlaybook, someRoom } from '#web/testing/some.ts';

const playbook = somePlaybook(['Greet'], 'Renewal');
const room = someRoom({
  playbookId: playbook.id,
  playbook: { id: playbook.id, title: playbook.title },
});
const path = `/app/rooms/${room.id}`;
const call = someCall({
  agent: { id: accountId.parse(someId(9)), name: 'Ben Okri' },
  notesSnapshot: 'They want 50 seats.',
});
const figures = {
  totalCalls: 1,
  avgDuration: 5,
  checklistCompletion: 75,
  avgNpsScore: null,
  changes: { totalCalls: null, avgDuration: null, checklistCompletion: null, avgNpsScore: null },
  nps: { promoters: 0, passives: 0, detractors: 0, score: null },
  trends: [],
};
const link = { id: someId(60), name: 'Trade fair', state: 'valid', useCount: 3 };
const serve = (given = room) => {
  const queries: string[] = [];
  const note =
    <Body extends object>(body: Body) =>
    ({ path: asked, query }: { path: string; query: string }) => {
      queries.push(`${asked}?${query}`);
      return body;
    };
  fakeServer({
    [`GET /api/rooms/${room.id}/summary`]: given,
    [`GET /api/rooms/${room.id}/guest-links`]: [link],
    'GET /api/analytics': note(figures),
    'GET /api/calls': note([call]),
    'GET /api/call-count': note({ total: 1, isExact: true }),
    'GET /api/call-choices': { rooms: [], playbooks: [], agents: [] },
  });
  return queries;
};
const open = (role: 'AGENT' | 'VIEWER' = 'AGENT', address = path) =>
  show(<AppRoutes />, { path: address, user: { ...ada, role } });

test('a room’s page has its figures, calls, notes, and links, all of this room', async () => {
  const queries = serve();
  open();
  expect(await screen.findByRole('heading', { level: 1, name: room.topic })).toBeTruthy();
  const table = within(await screen.findByRole('table', { name: 'Calls' }));
  expect(table.getByText('Ben Okri')).toBeTruthy();
  expect(await screen.findByText('They want 50 seats.')).toBeTruthy();
  expect(await screen.findByText('Trade fair')).toBeTruthy();
  expect(screen.getByText('3 guests')).toBeTruthy();
  const [renewal] = screen.getAllByRole('link', { name: 'Renewal' });
  expect(renewal?.getAttribute('href')).toBe(`/app/playbooks/${playbook.id}`);
  expect(screen.getByRole('link', { name: 'Join Call' }).getAttribute('href')).toBe(`${path}/call`);
  expect(queries.length).toBeGreaterThan(3);
  for (const query of queries) expect(query).toContain(`roomId=${room.id}`);
  expect(screen.queryByLabelText('Room')).toBe(null);
});

test('its filters are in the address, and narrow figures and calls', async () => {
  const queries = serve();
  const { by } = open('AGENT', `${path}?agentId=${someId(9)}`);
  await by.selectOptions(await screen.findByLabelText('Score'), 'No score');
  expect(screen.getByTestId('address').textContent).toContain('score=none');
  const both = `roomId=${room.id}`;
  await waitFor(() =>
    expect(queries.some((query) => query.includes('score=none') && query.includes(both))).toBe(
      true,
    ),
  );
  expect(queries).toContain(`/api/analytics?agentId=${someId(9)}&${both}`);
});

test('an archived room shows its calls, and offers no call and no links', async () => {
  serve({ ...room, status: 'archived' });
  open();
  expect(await screen.findByText('They want 50 seats.')).toBeTruthy();
  expect(screen.queryByRole('link', { name: 'Join Call' })).toBe(null);
  expect(screen.queryByText('Guest links')).toBe(null);
});

test('a viewer sees no links, which only staff may share', async () => {
  serve();
  open('VIEWER');
  expect(await screen.findByText('They want 50 seats.')).toBeTruthy();
  expect(screen.queryByText('Guest links')).toBe(null);
});

test.each([`/app/rooms/${someId(99)}`, '/app/rooms/not-an-id'])(
  '%s says that there is no such room',
  async (address) => {
    serve();
    open('AGENT', address);
    expect(await screen.findByText('This room doesn’t exist')).toBeTruthy();
  },
);
