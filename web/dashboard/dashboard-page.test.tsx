// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { Phone } from 'lucide-react';
import { expect, test } from 'vitest';
import { DashboardPage } from '#web/dashboard/dashboard-page.tsx';
import { StatCard } from '#web/dashboard/stat-card.tsx';
import { fakeServer } from '#web/testing/fake-server.ts';
import { ada, show, someId } from '#web/testing/show.tsx';
import { someRoom } from '#web/testing/some.ts';

const figures = {
  totalCalls: 3,
  avgDuration: 8.5,
  checklistCompletion: 75,
  avgNpsScore: 9.1,
  averagedCalls: 3,
  checklistItems: 8,
  changes: { totalCalls: null, avgDuration: null, checklistCompletion: null, avgNpsScore: null },
  nps: { promoters: 1, passives: 0, detractors: 0, score: 100 },
  trends: [],
};
const serve = (rooms: object[] = [], more = {}) =>
  fakeServer({
    'GET /api/analytics': figures,
    'GET /api/calls': [],
    'GET /api/rooms': rooms,
    'GET /api/playbooks': [],
    ...more,
  });

test('the title, four cards, Recent Calls, Active Rooms and Quick Actions are named as specified', async () => {
  serve();
  show(<DashboardPage />);
  expect(screen.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeTruthy();
  for (const [title, value] of [
    ['Total Calls', '3'],
    ['Avg Duration', '8.5 min'],
    ['Checklist Completion', '75%'],
    ['Avg NPS Score', '9.1'],
  ] as const) {
    const card = screen.getByRole('heading', { name: title }).parentElement?.parentElement;
    expect(await within(card ?? document.body).findByText(value), title).toBeTruthy();
  }
  for (const name of ['Recent Calls', 'Active Rooms', 'Quick Actions'])
    expect(screen.getByRole('heading', { name }), name).toBeTruthy();
  expect(await screen.findByText('No active rooms at the moment')).toBeTruthy();
});

test('a viewer’s Quick Actions are View Reports alone', async () => {
  serve();
  show(<DashboardPage />, { user: { ...ada, role: 'VIEWER' } });
  expect(screen.getByRole('link', { name: 'View Reports' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Create Room' })).toBe(null);
  expect(screen.queryByRole('link', { name: 'New Playbook' })).toBe(null);
});

test('without calls to average, averages are dashes, and without playbooks completion is one', async () => {
  const none = { ...figures, totalCalls: 0, averagedCalls: 0, checklistItems: 0 };
  serve([], { 'GET /api/analytics': { ...none, avgNpsScore: null } });
  show(<DashboardPage />);
  expect(await screen.findAllByText('-')).toHaveLength(3);
  expect(screen.getByText('0')).toBeTruthy();
});

test('the average score says who gave it, and no score says nothing', async () => {
  serve();
  const { unmount } = show(<DashboardPage />);
  expect(await screen.findAllByText('Rated by your team')).toHaveLength(1);
  unmount();
  serve([], { 'GET /api/analytics': { ...figures, avgNpsScore: null } });
  show(<DashboardPage />);
  await screen.findByText('8.5 min');
  expect(screen.queryByText('Rated by your team')).toBe(null);
});

test('an active room has a Join button; an archived one is not listed', async () => {
  serve([someRoom(), someRoom({ topic: 'Closed', status: 'archived' })]);
  show(<DashboardPage />);
  const join = await screen.findByRole('link', { name: 'Join Onboarding with Acme' });
  expect(join.textContent).toBe('Join');
  expect(join.getAttribute('href')).toBe(`/app/rooms/${someId(40)}/call`);
  expect(screen.queryByText('Closed')).toBe(null);
});

test.each([
  ['New Playbook', '/app/playbooks'],
  ['View Reports', '/app/analytics'],
])('%s leads to %s', (name, path) => {
  serve();
  show(<DashboardPage />);
  expect(screen.getByRole('link', { name }).getAttribute('href')).toBe(path);
});

test('Create Room opens the dialog', async () => {
  serve();
  const { by } = show(<DashboardPage />);
  await by.click(screen.getByRole('button', { name: 'Create Room' }));
  expect(within(await screen.findByRole('dialog')).getByLabelText('Room Topic')).toBeTruthy();
});

test('figures and rooms that could not be loaded can be loaded again', async () => {
  const broken = () => Response.json({ message: 'Try later.' }, { status: 500 });
  const asked = serve([], { 'GET /api/analytics': broken, 'GET /api/rooms': broken });
  const { by } = show(<DashboardPage />);
  const before = () => asked.filter(({ path }) => path === '/api/analytics').length;
  const [again] = await screen.findAllByRole('button', { name: 'Try again' });
  const first = before();
  if (again) await by.click(again);
  expect(before()).toBe(first + 1);
  expect(screen.getAllByText('We couldn’t load this').length).toBeGreaterThan(0);
});

test('a stat card shows a skeleton while its value is loading, then value and change', () => {
  const { rerender } = show(
    <StatCard title="Total Calls" icon={Phone} value={undefined} change={null} />,
  );
  expect(document.querySelector('.animate-pulse')).toBeTruthy();
  rerender(<StatCard title="Total Calls" icon={Phone} value="12" change="+12% from last month" />);
  expect(document.querySelector('.animate-pulse')).toBe(null);
  expect(screen.getByText('12')).toBeTruthy();
  expect(screen.getByText('+12% from last month').className).toContain('text-success');
  expect(document.querySelector('svg')).toBeTruthy();
});
