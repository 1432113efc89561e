import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import * as Y from 'yjs';
import { fromBase64 } from '#web/calls/base64.ts';
import { batchMs } from '#web/calls/notes-doc.ts';
import { NotesServer, Page } from '#web/testing/notes-server.ts';

let server: NotesServer;
beforeEach(() => {
  vi.useFakeTimers();
  server = new NotesServer();
});
afterEach(() => {
  vi.useRealTimers();
});

const wait = () => vi.advanceTimersByTime(batchMs);
const joined = (kept: string | null = null) => {
  const page = new Page(server, kept);
  server.join(page);
  return page;
};
const notesSent = () => server.heard.filter(({ type }) => type === 'note').length;

test('quick typing is sent as one batch', () => {
  const page = joined();
  for (const letter of 'Hello') page.type(letter);
  expect(notesSent()).toBe(0);
  wait();
  expect(notesSent()).toBe(1);
  expect(server.text).toBe('Hello');
});

test('notes are unsaved from the first letter until the server has acknowledged the last', () => {
  const page = joined();
  page.type('a');
  expect(page.notes.getSnapshot().unsaved).toBe(true);
  server.isMute = true;
  wait();
  expect(page.notes.getSnapshot().unsaved).toBe(true);
  page.notes.saved('1', '2026-03-04T10:00:00Z');
  expect(page.notes.getSnapshot()).toMatchObject({
    unsaved: false,
    savedAt: Date.parse('2026-03-04T10:00:00Z'),
  });
  expect(page.kept).toBe(null);
});

test('two people who write simultaneously keep every letter, and end with the same text', () => {
  const a = joined();
  const b = joined();
  a.type('from A. ');
  b.type('from B. ');
  wait();
  expect(a.notes.text).toBe(b.notes.text);
  expect([...a.notes.text].sort()).toEqual([...'from A. from B. '].sort());
  expect(server.text).toBe(a.notes.text);
});

test('text typed offline is sent on reconnecting, merged with what others wrote', () => {
  const a = joined();
  const b = joined();
  a.type('Start. ');
  wait();
  server.drop(a);
  a.type('Offline. ');
  wait();
  b.type('Meanwhile. ');
  wait();
  expect(server.text).not.toContain('Offline');
  server.join(a);
  expect(server.text).toContain('Offline. ');
  expect(server.text).toContain('Meanwhile. ');
  expect(a.notes.text).toBe(server.text);
  expect(b.notes.text).toBe(server.text);
  expect(a.notes.getSnapshot().unsaved).toBe(false);
});

test('a reload while offline loses nothing: the next page sends what the last one stored', () => {
  const before = joined();
  before.type('Stored. ');
  wait();
  server.drop(before);
  before.type('Only here.');
  wait();
  const after = joined(before.kept);
  expect(server.text).toBe('Stored. Only here.');
  expect(after.notes.text).toBe('Stored. Only here.');
  expect(after.notes.getSnapshot().unsaved).toBe(false);
  expect(after.kept).toBe(null);
});

test('text that the server stored without acknowledging it is not duplicated', () => {
  const page = joined();
  server.isMute = true;
  page.type('Once.');
  wait();
  expect(server.text).toBe('Once.');
  server.drop(page);
  server.isMute = false;
  joined(page.kept);
  expect(server.text).toBe('Once.');
  server.join(page);
  expect(server.text).toBe('Once.');
  expect(page.notes.getSnapshot().unsaved).toBe(false);
});

test('text typed before the call exists is sent once it does', () => {
  const page = new Page(server);
  page.type('Early.');
  wait();
  expect(page.kept).not.toBe(null);
  server.join(page);
  expect(server.text).toBe('Early.');
});

test('a refused edit is reported, stays in the text, and is sent with the next one', () => {
  const page = joined();
  server.isMute = true;
  page.type('Too long');
  wait();
  page.notes.refused('1', 'These notes are too long to save.');
  expect(page.notes.getSnapshot()).toMatchObject({
    refused: 'These notes are too long to save.',
    unsaved: true,
  });
  server.isMute = false;
  page.type('!');
  wait();
  expect(page.notes.getSnapshot()).toMatchObject({ refused: null, unsaved: false });
  expect(server.text).toBe('Too long!');
});

test('changes of others wait while a character is composed', () => {
  const a = joined();
  const b = joined();
  a.notes.hold();
  b.type('Hi');
  wait();
  expect(a.notes.text).toBe('');
  a.notes.release();
  expect(a.notes.text).toBe('Hi');
});

test('a refusal or an acknowledgement of a batch that is not awaited changes nothing', () => {
  const page = joined();
  server.isMute = true;
  page.type('Hello');
  wait();
  expect(page.notes.refused('another', 'Not about the notes.')).toBe(false);
  page.notes.saved('another', '2026-03-04T10:00:00Z');
  expect(page.notes.getSnapshot()).toMatchObject({ refused: null, savedAt: null, unsaved: true });
  expect(page.notes.refused('1', 'These notes are too long to save.')).toBe(true);
});

test('a refused edit is stored, so that a reload sends it again', () => {
  const page = joined();
  server.isMute = true;
  page.type('Kept');
  wait();
  page.kept = null;
  page.notes.refused('1', 'Please try again.');
  expect(page.kept).not.toBe(null);
});

test('a flush without edits sends and stores nothing', () => {
  const page = joined();
  const heard = server.heard.length;
  page.kept = 'as it was';
  page.notes.flush();
  expect(server.heard.length).toBe(heard);
  expect(page.kept).toBe('as it was');
});

test('an edit goes out as its own small batch, not as the whole text again', () => {
  const page = joined();
  page.type('a'.repeat(5000));
  wait();
  page.type('!');
  wait();
  const sizes = server.heard.flatMap((message) =>
    message.type === 'note' ? [message.update.length] : [],
  );
  expect(sizes).toHaveLength(2);
  expect(sizes[1]).toBeLessThan(200);
});

test('after a batch was acknowledged, a request carries only what came later', () => {
  const page = joined();
  page.type('a'.repeat(5000));
  wait();
  page.type('!');
  expect(page.notes.missing().join('').length).toBeLessThan(200);
});

test('an acknowledgement while another batch is out leaves both to a request', () => {
  const page = joined();
  server.isMute = true;
  page.type('First. ');
  wait();
  page.type('Second.');
  wait();
  page.notes.saved('1', '2026-03-04T10:00:00Z');
  expect(page.notes.getSnapshot().unsaved).toBe(true);
  const fresh = new NotesServer();
  for (const update of page.notes.missing()) Y.applyUpdate(fresh.doc, fromBase64(update));
  expect(fresh.text).toContain('Second.');
});

test('what is out when the socket is lost is sent with the next exchange', () => {
  const page = joined();
  server.isMute = true;
  page.type('Out. ');
  wait();
  server.isMute = false;
  server.join(page);
  expect(page.notes.getSnapshot().unsaved).toBe(false);
  expect(notesSent(), 'again, on the new socket').toBe(2);
});
