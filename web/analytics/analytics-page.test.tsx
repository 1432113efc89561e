// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { Analytics } from '#domain/analytics/contract.ts';
import { AnalyticsPage } from '#web/analytics/analytics-page.tsx';
import { fakeServer, refusal } from '#web/testing/fake-server.ts';
import { show } from '#web/testing/show.tsx';

const day = (at: number, calls: number, avgDuration: number) => ({
  date: `2026-03-${String(at).padStart(2, '0')}`,
  calls,
  avgDuration,
  averagedCalls: calls,
});
const figures: Analytics = {
  totalCalls: 12,
  avgDuration: 8.5,
  averagedCalls: 3,
  checklistItems: 8,
  checklistCompletion: 75,
  avgNpsScore: 7.9,
  changes: { totalCalls: '+12%', avgDuration: '-3%', checklistCompletion: null, avgNpsScore: null },
  nps: { promoters: 2, passives: 1, detractors: 3, score: -17 },
  trends: [day(1, 0, 0), day(2, 3, 4.5), day(3, 1, 0.2)],
};
const nothing: Analytics = {
  ...figures,
  nps: { promoters: 0, passives: 0, detractors: 0, score: null },
  trends: [day(1, 0, 0), day(2, 0, 0)],
};
const serve = (answer: object) =>
  fakeServer({ 'GET /api/analytics': answer, 'GET /api/calls': [] });
const rowsOf = (name: string) =>
  within(screen.getByRole('table', { name }))
    .getAllByRole('row')
    .map((row) => [...row.children].map((cell) => cell.textContent));

test('the four figures show their change, or nothing without an earlier value', async () => {
  serve(figures);
  show(<AnalyticsPage />);
  for (const text of ['12', '8.5 min', '75%', '7.9', '+12% vs last month', '-3% vs last month'])
    expect(await screen.findByText(text), text).toBeTruthy();
  expect(screen.getAllByText(/last month/).length).toBe(2);
});

test('promoters, passives and detractors are counts and percentages, beside the NPS', async () => {
  serve(figures);
  const { by } = show(<AnalyticsPage />);
  await by.click(await screen.findByRole('button', { name: 'Show as table: Customer Insights' }));
  expect(rowsOf('Customer Insights')).toEqual([
    ['Group', 'Scores', 'Calls', 'Share'],
    ['Promoters', '9-10', '2', '33%'],
    ['Passives', '7-8', '1', '17%'],
    ['Detractors', '0-6', '3', '50%'],
  ]);
  expect(screen.getByText('-17')).toBeTruthy();
});

test('the trends are available as a table, newest day first', async () => {
  serve(figures);
  const { by } = show(<AnalyticsPage />);
  await by.click(await screen.findByRole('button', { name: 'Show as table: Call Trends' }));
  expect(rowsOf('Call Trends')).toEqual([
    ['Day (UTC)', 'Calls', 'Avg Duration'],
    ['Mar 3', '1', '0.2 min'],
    ['Mar 2', '3', '4.5 min'],
    ['Mar 1', '0', '-'],
  ]);
  await by.click(screen.getByRole('button', { name: 'Show as chart: Call Trends' }));
  const chart = await screen.findByRole('img', { name: /calls in the last 30 days/ });
  expect(chart.getAttribute('aria-label')).toBe(
    '4 calls in the last 30 days, most of them on Mar 2 (3).',
  );
});

test('without calls and scores each part shows a text', async () => {
  serve(nothing);
  show(<AnalyticsPage />);
  for (const text of ['No calls in the last 30 days', 'No scores yet', 'No calls recorded yet'])
    expect(await screen.findByText(text), text).toBeTruthy();
  expect(screen.queryByRole('button', { name: /^Show as/ })).toBe(null);
});

test('figures that could not be loaded can be loaded again', async () => {
  const answers = vi.fn(() => refusal(500, { message: 'Try later.' }));
  fakeServer({ 'GET /api/analytics': answers, 'GET /api/calls': [] });
  const { by } = show(<AnalyticsPage />);
  expect((await screen.findAllByText('Try later.')).length).toBe(3);
  await by.click(screen.getAllByRole('button', { name: 'Try again' })[0] ?? document.body);
  await waitFor(() => expect(answers).toHaveBeenCalledTimes(2));
});
