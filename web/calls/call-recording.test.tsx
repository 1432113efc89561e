// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { Link } from 'react-router';
import { beforeEach, expect, test, vi } from 'vitest';
import { type Recording, recording as recordingShape } from '#domain/recordings/contract.ts';
import CallRecording from '#web/calls/call-recording.tsx';
import { type Asked, fakeServer, refusal } from '#web/testing/fake-server.ts';
import { ada, show, someId } from '#web/testing/show.tsx';
import { someCallDetails } from '#web/testing/some.ts';

const call = someCallDetails();
const path = `/api/calls/${call.id}`;

const file = (id: number, changed: object = {}) => ({
  id: someId(id),
  state: 'ready',
  url: `/media/${id}`,
  posterUrl: null,
  mimeType: 'video/mp4',
  hasVideo: true,
  startMs: 0,
  durationMs: 60_000,
  sizeBytes: 1,
  waveform: [...Array(300).keys()].map((at) => (at % 3 ? 200 : 0)),
  ...changed,
});
const person = (id: number, name: string, files: object[]) => ({
  participantId: someId(id),
  name,
  kind: 'guest',
  tracks: [{ id: someId(id + 10), source: 'camera', files }],
});
const recorded = (changed: object = {}): Recording =>
  recordingShape.parse({
    callId: call.id,
    state: 'ready',
    durationMs: 60_000,
    sizeBytes: 2,
    people: [person(11, 'Grace', [file(31)]), person(12, 'Linus', [file(32)])],
    expiresAt: null,
    legalHold: null,
    ...changed,
  });
const lines = ['Good morning', 'نريد خمسين مقعدا', 'Fifty seats, please'].map((text, index) => ({
  id: someId(60 + index),
  participantId: someId(11),
  name: 'Grace',
  kind: 'guest',
  startMs: index * 20_000,
  endMs: index * 20_000 + 5000,
  language: index === 1 ? 'ar' : 'en',
  text,
  recognizedText: null,
}));
const transcript = { state: 'ready', lines, next: null };

function open(recording: object, more: Parameters<typeof fakeServer>[0] = {}, user = ada, at = '') {
  const asked = fakeServer({
    [`GET ${path}/recording`]: recording,
    [`GET ${path}/transcript`]: transcript,
    [`GET ${path}/chat`]: [],
    [`GET ${path}/action-items`]: { actionItems: [], generatedAt: null, analyzer: null },
    [`GET ${path}/recording-shares`]: [],
    ...more,
  });
  const page = (
    <>
      <CallRecording call={call} />
      <Link to="?t=30">0:30</Link>
    </>
  );
  const view = show(page, { path: `/app/calls/${call.id}${at}`, user });
  return { ...view, asked };
}
const times = (asked: Asked[], wanted: string) =>
  asked.filter(({ method, path: one }) => `${method} ${one}` === wanted).length;

beforeEach(() => {
  // A list shows lines only where it has a height.
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600);
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(300);
  vi.spyOn(HTMLMediaElement.prototype, 'play').mockResolvedValue();
  vi.spyOn(HTMLMediaElement.prototype, 'pause').mockReturnValue();
  vi.spyOn(HTMLMediaElement.prototype, 'load').mockReturnValue();
});

test('a link to a second shows everyone at it, and its line of the transcript', async () => {
  open(recorded(), {}, ada, '?t=45');
  const slider = await screen.findByRole('slider', { name: 'Position' });
  expect(slider.getAttribute('aria-valuetext')).toBe('0:45 of 1:00');
  expect([...document.querySelectorAll('video')].map(({ currentTime }) => currentTime)).toEqual([
    45, 45,
  ]);
  const line = await screen.findByText('Fifty seats, please');
  expect(line.closest('[aria-current]')).toBeTruthy();
});

test('a link on the page leads to its second, each time that it is followed', async () => {
  const { by } = open(recorded());
  const slider = await screen.findByRole('slider', { name: 'Position' });
  for (let turn = 0; turn < 2; turn += 1) {
    await by.click(screen.getByRole('link', { name: '0:30' }));
    expect(slider.getAttribute('aria-valuetext')).toBe('0:30 of 1:00');
    await by.click(screen.getByRole('button', { name: 'Play from 0:20' }));
    expect(slider.getAttribute('aria-valuetext')).toBe('0:20 of 1:00');
  }
});

test('a line of the transcript seeks, and has the direction of its own language', async () => {
  const { by } = open(recorded());
  const line = await screen.findByText('نريد خمسين مقعدا');
  expect(line).toMatchObject({ dir: 'auto', lang: 'ar' });
  await by.click(screen.getByRole('button', { name: 'Play from 0:20' }));
  const slider = screen.getByRole('slider', { name: 'Position' });
  expect(slider.getAttribute('aria-valuetext')).toBe('0:20 of 1:00');
});

test('the search counts its hits, marks them, and goes from one to the next', async () => {
  const { by } = open(recorded());
  await by.type(await screen.findByRole('searchbox', { name: 'Search the transcript' }), 'se');
  expect(await screen.findByText('1 of 2')).toBeTruthy();
  expect([...document.querySelectorAll('mark')].map(({ textContent }) => textContent)).toEqual([
    'se',
    'se',
  ]);
  await by.keyboard('{Enter}');
  expect(await screen.findByText('2 of 2')).toBeTruthy();
  await by.clear(screen.getByRole('searchbox'));
  await by.type(screen.getByRole('searchbox'), 'boat');
  expect(await screen.findByText('No matches')).toBeTruthy();
});

test('of six hours and 300,000 words the wanted second is shown, and only the lines in view are drawn', async () => {
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(44);
  const many = Array.from({ length: 12_000 }, (_, at) => ({
    ...lines[0],
    id: someId(1000 + at),
    startMs: at * 1800,
    endMs: at * 1800 + 1000,
    text: `${'words '.repeat(24)}${at}`,
  }));
  const durationMs = 6 * 3_600_000;
  const people = [person(11, 'Grace', [file(31, { durationMs })])];
  const more = { [`GET ${path}/transcript`]: { ...transcript, lines: many } };
  open(recorded({ durationMs, people }), more, ada, '?t=5h59m58s');
  await screen.findByText(/words 0$/);
  expect(document.querySelectorAll('[data-index]').length).toBeLessThan(60);
  const slider = screen.getByRole('slider', { name: 'Position' });
  expect(slider.getAttribute('aria-valuetext')).toBe('5:59:58 of 6:00:00');
});

test('the keyboard plays, skips, jumps, mutes and changes the speed, but not from a text field', async () => {
  const { by } = open(recorded());
  const slider = await screen.findByRole('slider', { name: 'Position' });
  await by.keyboard('5');
  expect(slider.getAttribute('aria-valuetext')).toBe('0:30 of 1:00');
  await by.keyboard('lj');
  await by.keyboard('{ArrowRight}');
  expect(slider.getAttribute('aria-valuetext')).toBe('0:35 of 1:00');
  await by.keyboard('m>');
  expect(screen.getByRole('button', { name: 'Unmute' })).toBeTruthy();
  expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Speed' }).value).toBe('1.25');
  await by.keyboard('c');
  expect(screen.queryByRole('searchbox')).toBe(null);
  await by.keyboard('c');
  await by.type(screen.getByRole('searchbox'), '0');
  expect(slider.getAttribute('aria-valuetext')).toBe('0:35 of 1:00');
  await by.click(document.body);
  await by.keyboard('?');
  expect(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })).toBeTruthy();
});

test('a person can be hidden and shown again, and the others stay', async () => {
  const { by } = open(recorded());
  await by.click(await screen.findByRole('button', { name: 'Hide Grace' }));
  expect(screen.queryByRole('figure', { name: 'Grace' })).toBe(null);
  expect(screen.getByRole('figure', { name: 'Linus' })).toBeTruthy();
  await by.click(screen.getByRole('button', { name: 'Show Grace' }));
  expect(screen.getByRole('figure', { name: 'Grace' })).toBeTruthy();
});

test('an address that expired is asked for again, and play goes on at the same second', async () => {
  let address = 'old';
  const answer = () =>
    recorded({ people: [person(11, 'Grace', [file(31, { url: `/media/${address}` })])] });
  const { asked, by } = open(() => answer());
  await screen.findByRole('slider', { name: 'Position' });
  await by.keyboard('5');
  address = 'new';
  const video = document.querySelector('video');
  video?.dispatchEvent(new Event('error'));
  await waitFor(() => expect(times(asked, `GET ${path}/recording`)).toBe(2));
  await waitFor(() => expect(video?.getAttribute('src')).toContain('/media/new'));
  expect(video?.currentTime).toBe(30);
});

test.each([
  ['recording', {}, /This call is being recorded/],
  ['processing', {}, /Preparing the recording.*This takes a moment/],
  ['failed', {}, /We couldn’t prepare this recording/],
  ['expired', {}, /This recording has expired and was deleted/],
  ['deleted', {}, /This recording was deleted/],
])('%s: the page says so in place of a player', async (state, more, text) => {
  open(recorded({ state, people: [], ...more }), {
    [`GET ${path}/transcript`]: { state: 'none', lines: [], next: null },
  });
  await waitFor(() => expect(screen.getByRole('status').textContent).toMatch(text));
  expect(screen.queryByRole('slider', { name: 'Position' })).toBe(null);
});

test('a call without recording and transcript has neither on its page', async () => {
  const { container, asked } = open(recorded({ state: 'none', people: [] }), {
    [`GET ${path}/transcript`]: { state: 'none', lines: [], next: null },
  });
  await waitFor(() => expect(times(asked, `GET ${path}/transcript`)).toBe(1));
  await waitFor(() => expect(times(asked, `GET ${path}/recording`)).toBe(1));
  expect(within(container).queryByText(/record|transcript/i)).toBe(null);
});

test('a partial recording names whose part is missing and plays the others', async () => {
  const missing = person(12, 'Linus', [file(32, { state: 'failed', url: null })]);
  open(recorded({ state: 'partial', people: [person(11, 'Grace', [file(31)]), missing] }));
  expect(
    await screen.findByText('Some of the recording of Linus couldn’t be prepared.'),
  ).toBeTruthy();
  expect(document.querySelectorAll('video')).toHaveLength(1);
});

test('without access the page says so; a failure can be tried again', async () => {
  const { unmount } = open(refusal(403, { message: 'No' }));
  expect(await screen.findByText('You don’t have access to this recording')).toBeTruthy();
  unmount();
  let answer: object = refusal(500, { message: 'Down' });
  const { by } = open(() => answer);
  expect(await screen.findByText('Down')).toBeTruthy();
  answer = recorded();
  await by.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('slider', { name: 'Position' })).toBeTruthy();
});

test('a clip is shared from where playback is, and its link is shown once', async () => {
  const post = `POST ${path}/recording-shares`;
  const { by, asked } = open(recorded(), {
    [post]: {
      id: someId(90),
      title: 'The offer',
      clip: null,
      createdAt: '2026-03-05T10:00:00Z',
      createdBy: 'Ada',
      expiresAt: '2026-03-06T10:00:00Z',
      lastViewedAt: null,
      url: 'https://x/shared/token',
    },
  });
  await screen.findByRole('slider', { name: 'Position' });
  await by.keyboard('2');
  await by.click(screen.getByRole('button', { name: 'Share' }));
  await by.click(await screen.findByRole('radio', { name: 'A clip' }));
  await by.type(screen.getByRole('textbox', { name: /Title/ }), 'The offer');
  await by.selectOptions(screen.getByRole('combobox', { name: 'Link works for' }), '1 day');
  await by.click(screen.getByRole('button', { name: 'Create link' }));
  expect(await screen.findByDisplayValue('https://x/shared/token')).toBeTruthy();
  expect(asked.find(({ method }) => method === 'POST')?.body).toEqual({
    title: 'The offer',
    clip: { startMs: 12_000, endMs: 42_000 },
    expiresInDays: 1,
  });
});

test('a viewer plays the recording and cannot share it', async () => {
  open(recorded(), {}, { ...ada, role: 'VIEWER' });
  await screen.findByRole('slider', { name: 'Position' });
  expect(screen.queryByRole('button', { name: 'Share' })).toBe(null);
});
