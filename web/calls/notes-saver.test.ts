import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import * as Y from 'yjs';
import type { UpdateCallBody } from '#domain/calls/contract.ts';
import { fromBase64 } from '#web/calls/base64.ts';
import { NotesSaver, retryDelayMs, saveDelayMs } from '#web/calls/notes-saver.ts';
import { ApiError } from '#web/platform/api.ts';
import { NotesServer, Page } from '#web/testing/notes-server.ts';

let server: NotesServer;
let page: Page;
beforeEach(() => {
  vi.useFakeTimers();
  server = new NotesServer();
  page = new Page(server);
});
afterEach(() => {
  vi.useRealTimers();
});

const wait = (ms: number) => vi.advanceTimersByTimeAsync(ms);

/** A server that merges the update of each request, as the real one does. */
function saving(fail: () => Error | null = () => null) {
  const bodies: UpdateCallBody[] = [];
  const saver = new NotesSaver(page.notes, async (body) => {
    bodies.push(body);
    const error = fail();
    if (error) throw error;
    Y.applyUpdate(server.doc, fromBase64(body.notesUpdate ?? ''));
  });
  return { saver, bodies };
}

test('one request saves the whole text, a second after the last edit', async () => {
  const { bodies } = saving();
  page.type('Hel');
  await wait(999);
  page.type('lo');
  await wait(999);
  expect(bodies).toEqual([]);
  await wait(1);
  expect(bodies.map(({ notesSnapshot }) => notesSnapshot)).toEqual(['Hello']);
  await wait(10_000);
  expect(bodies.length).toBe(1);
});

test('an empty text is saved only if there were notes', async () => {
  const { bodies } = saving();
  page.type('x');
  page.notes.edit({ start: 0, removed: 1, inserted: '' });
  await wait(saveDelayMs);
  expect(bodies.length, 'there were some, if only for a moment').toBe(1);

  const untouched = saving();
  await wait(saveDelayMs);
  expect(untouched.bodies).toEqual([]);
});

test('without a socket the request alone saves, and nothing is duplicated after reconnecting', async () => {
  saving();
  page.type('By request.');
  await wait(saveDelayMs);
  expect(page.notes.getSnapshot()).toMatchObject({ unsaved: false });
  expect(page.kept).toBe(null);
  server.join(page);
  expect(server.text).toBe('By request.');
  expect(page.notes.text).toBe('By request.');
});

test('a save never reverts what another person has written meanwhile', async () => {
  const other = new Page(server);
  server.join(page);
  server.join(other);
  saving();
  page.type('Mine. ');
  await wait(saveDelayMs - 10);
  server.drop(page);
  other.type('Theirs. ');
  await wait(200);
  expect(server.text).toContain('Theirs. ');
  expect(server.text).toContain('Mine. ');
});

test.each([
  ['failed', new ApiError('Unreachable', 0)],
  ['met another change', new ApiError('Try again.', 409, { code: 'changed_elsewhere' })],
])('a save that %s is retried until it succeeds', async (_how, failure) => {
  let down = true;
  const { bodies } = saving(() => (down ? failure : null));
  page.type('Stubborn');
  await wait(saveDelayMs);
  expect(page.notes.getSnapshot().unsaved).toBe(true);
  down = false;
  await wait(retryDelayMs);
  expect(bodies.length).toBe(2);
  expect(server.text).toBe('Stubborn');
  expect(page.notes.getSnapshot().unsaved).toBe(false);
});

test('a save that the server refuses is reported, and not repeated', async () => {
  const { bodies } = saving(() => new ApiError('These notes are too long to save.', 413));
  page.type('Too long');
  await wait(saveDelayMs + 4 * retryDelayMs);
  expect(bodies.length).toBe(1);
  expect(page.notes.getSnapshot().refused).toBe('These notes are too long to save.');
});

test('an edit made during a save does not count as saved', async () => {
  let answer = () => {};
  const saver = new NotesSaver(page.notes, () => new Promise<void>((done) => (answer = done)));
  page.type('First. ');
  await wait(saveDelayMs);
  page.type('Second.');
  answer();
  await wait(1);
  expect(page.notes.getSnapshot().unsaved).toBe(true);
  saver.stop();
});

test('finishing saves unsaved notes immediately', async () => {
  const { saver } = saving();
  page.type('Bye');
  await saver.finish();
  expect(server.text).toBe('Bye');
});

test('edits that an earlier page stored are saved by request, without an edit here', async () => {
  page.type('Stored.');
  page.notes.flush();
  page = new Page(server, page.kept);
  const { bodies } = saving();
  await wait(saveDelayMs);
  expect(bodies.length).toBe(1);
  expect(server.text).toBe('Stored.');
});

test('notes of others are not sent by a page that changed none', async () => {
  const other = new Page(server);
  server.join(other);
  server.join(page);
  const { bodies } = saving();
  other.type('Theirs.');
  await wait(5 * saveDelayMs);
  expect(page.notes.text).toBe('Theirs.');
  expect(bodies).toEqual([]);
});

test('finishing sends nothing that is saved, and nothing later', async () => {
  const { saver, bodies } = saving();
  page.type('Once');
  await wait(saveDelayMs);
  await saver.finish();
  expect(bodies.length).toBe(1);
  page.type(' more');
  await wait(5 * saveDelayMs);
  expect(bodies.length).toBe(1);
});

test('each request has its update: notes that need several do not repeat the text', async () => {
  const { bodies } = saving();
  page.type('x'.repeat(1_900_000));
  await wait(saveDelayMs);
  expect(bodies.length).toBeGreaterThan(0);
  for (const body of bodies) {
    expect(body.notesUpdate).toBeTypeOf('string');
    expect(body.notesSnapshot).toBe(undefined);
  }
  expect(server.text.length).toBe(1_900_000);
});
