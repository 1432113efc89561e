// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { callId, roomId } from '#domain/ids.ts';
import type { FoundCall, FoundPage, Hit } from '#domain/search/contract.ts';
import { SearchPage } from '#web/search/search-page.tsx';
import { refusal } from '#web/testing/fake-server.ts';
import { show, someId } from '#web/testing/show.tsx';

const line: Hit = {
  ...{ kind: 'line', speaker: 'Cleo', startMs: 65_400 },
  ...{ text: 'The <b>price</b> is fixed', marks: [{ from: 7, to: 12 }] },
};
const note: Hit = {
  kind: 'note',
  speaker: null,
  startMs: null,
  text: 'price list',
  marks: [{ from: 0, to: 5 }],
};
const foundCall = (number: number, more: Partial<FoundCall> = {}): FoundCall => ({
  id: callId.parse(someId(number)),
  startedAt: '2026-11-20T10:00:00.000Z',
  durationSec: 600,
  room: { id: roomId.parse(someId(50)), topic: `Room ${number}` },
  agent: null,
  hits: [line, note],
  hasMore: false,
  ...more,
});
const page = (calls: FoundCall[], more: Partial<FoundPage> = {}): FoundPage => ({
  ...{ calls, corrected: null, next: null },
  ...more,
});

/** Answers searches one after the other, the last one again and again. @returns the queries */
function serve(...answers: (FoundPage | (() => Response))[]): URLSearchParams[] {
  const queries: URLSearchParams[] = [];
  vi.stubGlobal('fetch', async (address: string) => {
    const { pathname, searchParams } = new URL(address, 'http://any');
    if (pathname !== '/api/search') return Response.json({ rooms: [], playbooks: [], agents: [] });
    const answer = answers[Math.min(queries.push(searchParams), answers.length) - 1];
    return typeof answer === 'function' ? answer() : Response.json(answer);
  });
  return queries;
}
const showSearch = (query: string) => show(<SearchPage />, { path: `/app/search${query}` });

test('hits are grouped by call, are text with marks, and lead to their second', async () => {
  serve(page([foundCall(1, { hasMore: true, sample: true })]));
  showSearch('?q=price&score=promoters');
  const [mark] = await screen.findAllByText('price', { selector: 'mark' });
  expect(mark?.closest('a')?.querySelector('b')).toBeNull();
  const [first, second] = document.querySelectorAll<HTMLAnchorElement>('a[data-hit]');
  expect(first?.getAttribute('href')).toBe(`/app/calls/${someId(1)}?t=65`);
  expect(first?.textContent).toBe('TranscriptCleo1:05The <b>price</b> is fixed');
  expect(second?.getAttribute('href')).toBe(`/app/calls/${someId(1)}`);
  expect(screen.getByText('Sample')).toBeTruthy();
  const all = screen.getByRole('link', { name: 'All matches in this call' });
  expect(all.getAttribute('href')).toBe(`/app/search?score=promoters&q=price&callId=${someId(1)}`);
});

test('nothing is requested without words, and typed words are searched and kept in the address', async () => {
  const queries = serve(page([foundCall(1)]));
  const { by } = showSearch('');
  expect(await screen.findByText('Search everything that was said')).toBeTruthy();
  expect(queries).toEqual([]);
  await by.keyboard('price{Enter}');
  expect(await screen.findByText('Room 1')).toBeTruthy();
  expect(queries.map(String)).toEqual(['q=price']);
  await by.keyboard('{ArrowDown}');
  expect(document.activeElement?.hasAttribute('data-hit')).toBe(true);
  await by.keyboard('{ArrowUp}');
  expect(document.activeElement?.getAttribute('type')).toBe('search');
});

test('a corrected word is named, and the typed one is one click away', async () => {
  const queries = serve(
    page([foundCall(1)], { corrected: { q: 'price', words: ['price'] } }),
    page([]),
  );
  const { by } = showSearch('?q=pirce');
  expect(await screen.findByText(/Showing results for price/)).toBeTruthy();
  await by.click(screen.getByRole('button', { name: 'Search for pirce instead' }));
  expect(await screen.findByText('Nothing found')).toBeTruthy();
  expect(queries.at(-1)?.get('exact')).toBe('true');
});

test('pages without calls are skipped, and more are loaded on demand', async () => {
  const next = callId.parse(someId(9));
  const queries = serve(page([], { next }), page([foundCall(1)], { next }), page([foundCall(2)]));
  const { by } = showSearch('?q=price');
  expect(await screen.findByText('Room 1')).toBeTruthy();
  expect(queries).toHaveLength(2);
  await by.click(screen.getByRole('button', { name: 'Show more calls' }));
  expect(await screen.findByText('Room 2')).toBeTruthy();
  expect(screen.getByText('2 calls shown')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Show more calls' })).toBeNull();
});

test('where nothing is found, the filters are cleared and the words stay', async () => {
  const queries = serve(page([]));
  const { by } = showSearch('?q=price&score=promoters&speaker=Cleo');
  await by.click(await screen.findByRole('button', { name: 'Clear filters' }));
  await waitFor(() => expect(String(queries.at(-1))).toBe('q=price'));
  expect(await screen.findByText('Nothing found')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Clear filters' })).toBeNull();
});

test('a failed search says so, and is repeated', async () => {
  serve(() => refusal(503, { message: 'Try again in a moment.' }), page([foundCall(1)]));
  const { by } = showSearch('?q=price');
  expect(await screen.findByText('Couldn’t search')).toBeTruthy();
  await by.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('Room 1')).toBeTruthy();
});
