// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { callId } from '#domain/ids.ts';
import { AllCalls } from '#web/analytics/all-calls.tsx';
import { downloadFile } from '#web/analytics/download-file.ts';
import { refusal } from '#web/testing/fake-server.ts';
import { show, someId } from '#web/testing/show.tsx';
import { someCall } from '#web/testing/some.ts';

vi.mock('#web/analytics/download-file.ts', () => ({ downloadFile: vi.fn() }));
afterEach(() => vi.mocked(downloadFile).mockReset());

const idOf = (number: number) => callId.parse(someId(1000 + number));

/**
 * Serves `count` calls, newest first: call 1 is the newest, and a page holds at most `most`. Returns the queries.
 */
function serveCalls(count: number, most = 200): string[] {
  const calls = Array.from({ length: count }, (_, at) =>
    someCall({ id: idOf(at + 1), room: { topic: `Call ${at + 1}` } }),
  );
  const queries: string[] = [];
  vi.stubGlobal('fetch', async (address: string) => {
    const { pathname, search, searchParams } = new URL(address, 'http://any');
    if (pathname === '/api/call-count') return Response.json({ total: count, isExact: true });
    queries.push(search);
    const from = calls.findIndex(({ id }) => id === searchParams.get('before')) + 1;
    const asked = Number(searchParams.get('limit'));
    const page = calls.slice(from, from + Math.min(asked, most));
    const isFull = page.length === asked || from + page.length < count;
    const next = `</api/calls?limit=${asked}&before=${page.at(-1)?.id}>; rel="next"`;
    return Response.json(page, { headers: isFull ? { link: next } : {} });
  });
  return queries;
}
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });
const shown = () =>
  screen
    .getAllByRole('row')
    .slice(1)
    .map((row) => row.querySelector('td a')?.textContent);

test('a page follows the last call of the previous one, and Previous leads back', async () => {
  const queries = serveCalls(45);
  const { by } = show(<AllCalls />);
  expect(await screen.findByText('Call 20')).toBeTruthy();
  expect(shown().length).toBe(20);
  expect(button('Previous').disabled).toBe(true);
  await by.click(button('Next'));
  expect(await screen.findByText('Call 40')).toBeTruthy();
  expect(shown()[0]).toBe('Call 21');
  await by.click(button('Next'));
  expect(await screen.findByText('Call 45')).toBeTruthy();
  expect(shown().length).toBe(5);
  expect(screen.getByText('Page 3 of 3')).toBeTruthy();
  expect(button('Next').disabled).toBe(true);
  await by.click(button('Previous'));
  await by.click(button('Previous'));
  expect(shown()[0]).toBe('Call 1');
  expect(queries).toEqual([
    '?limit=20',
    `?limit=20&before=${idOf(20)}`,
    `?limit=20&before=${idOf(40)}`,
  ]);
});

test('exactly one full page has no Next button', async () => {
  const queries = serveCalls(20);
  show(<AllCalls />);
  expect(await screen.findByText('Call 20')).toBeTruthy();
  await waitFor(() => expect(queries.length).toBe(2));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Next' })).toBe(null));
});

test('the export has every call, over any number of pages', async () => {
  serveCalls(450);
  const { by } = show(<AllCalls />);
  await by.click(button('Export CSV'));
  await waitFor(() => expect(downloadFile).toHaveBeenCalledOnce());
  const [name, type, text] = vi.mocked(downloadFile).mock.lastCall ?? [];
  expect(name).toMatch(/^calls-\d{4}-\d\d-\d\d\.csv$/);
  expect(type).toBe('text/csv;charset=utf-8');
  expect(text?.split('\r\n').filter((line) => line.startsWith('Call ')).length).toBe(450);
});

test('R13-4: a page that the server ends early is followed by the next one', async () => {
  serveCalls(25, 10);
  const { by } = show(<AllCalls />);
  expect(await screen.findByText('Call 10')).toBeTruthy();
  await by.click(button('Next'));
  await by.click(await screen.findByRole('button', { name: 'Next' }));
  expect(await screen.findByText('Call 25')).toBeTruthy();
  await by.click(button('Export CSV'));
  await waitFor(() => expect(downloadFile).toHaveBeenCalledOnce());
  const text = vi.mocked(downloadFile).mock.lastCall?.[2];
  expect(text?.split('\r\n').filter((line) => line.startsWith('Call ')).length).toBe(25);
});

test('a failed export is reported, and no file is saved', async () => {
  vi.stubGlobal('fetch', async () => refusal(500));
  const { by } = show(<AllCalls />);
  await by.click(button('Export CSV'));
  expect(await screen.findByText('Failed to export the calls')).toBeTruthy();
  expect(downloadFile).not.toHaveBeenCalled();
});

test('filters, order, and search are in the address, and are what is requested', async () => {
  const queries = serveCalls(45);
  const room = someId(40);
  const { by } = show(<AllCalls />, { path: `/app/analytics?roomId=${room}&score=detractors` });
  expect(await screen.findByText('45 calls')).toBeTruthy();
  expect(queries[0]).toBe(`?limit=20&roomId=${room}&score=detractors`);
  await by.selectOptions(screen.getByLabelText('Order'), 'Longest first');
  await by.type(screen.getByLabelText('Search by room'), 'acme');
  await waitFor(() =>
    expect(screen.getByTestId('address').textContent).toBe(
      `/app/analytics?roomId=${room}&score=detractors&sort=longest&q=acme`,
    ),
  );
  const asked = `?limit=20&roomId=${room}&score=detractors&search=acme&sort=longest`;
  await waitFor(() => expect(queries).toContain(asked));
});

test('an address edited by hand is shown without what is invalid in it', async () => {
  const queries = serveCalls(1);
  const path =
    '/app/analytics?roomId=x&agentId=1&from=2026-02-30&to=soon&score=bad&sort=up&guests=%00';
  show(<AllCalls />, { path });
  expect(await screen.findByText('Call 1')).toBeTruthy();
  expect(queries).toEqual(['?limit=20']);
});

test('without a match the filters are named as the reason, and can be cleared', async () => {
  serveCalls(0);
  const { by } = show(<AllCalls />, { path: `/app/analytics?agentId=${someId(3)}` });
  expect(await screen.findByText('No calls match these filters')).toBeTruthy();
  await by.click(button('Clear filters'));
  expect(await screen.findByText('No calls recorded yet')).toBeTruthy();
  expect(screen.getByTestId('address').textContent).toBe('/app/analytics');
});

test('the export has what the filters name', async () => {
  const queries = serveCalls(3);
  const { by } = show(<AllCalls />, { path: '/app/analytics?guests=with' });
  await by.click(button('Export CSV'));
  await waitFor(() => expect(downloadFile).toHaveBeenCalledOnce());
  expect(queries).toContain('?limit=200&guests=with');
});

test('View All shows every call as one list, and leads back to the pages', async () => {
  serveCalls(30);
  const { by } = show(<AllCalls />);
  await by.click(await screen.findByRole('button', { name: 'View All' }));
  await waitFor(() => expect(screen.getAllByRole('row').length).toBe(1 + 30));
  expect(screen.queryByRole('navigation')).toBe(null);
  await by.click(screen.getByRole('button', { name: 'Show pages' }));
  expect(await screen.findByRole('button', { name: 'View All' })).toBeTruthy();
});
