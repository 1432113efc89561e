// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { batchMs } from '#web/calls/notes-doc.ts';
import { bindNotes } from '#web/calls/notes-field.ts';
import { NotesServer, Page } from '#web/testing/notes-server.ts';

let server: NotesServer;
let mine: Page;
let other: Page;
let field: HTMLTextAreaElement;
let part: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  server = new NotesServer();
  mine = new Page(server);
  other = new Page(server);
  server.join(mine);
  server.join(other);
  field = document.createElement('textarea');
  document.body.append(field);
  part = bindNotes(field, mine.notes);
});
afterEach(() => {
  part();
  field.remove();
  vi.useRealTimers();
});

const wait = () => vi.advanceTimersByTime(batchMs);

function type(text: string) {
  const { selectionStart: at, value } = field;
  field.value = value.slice(0, at) + text + value.slice(field.selectionEnd);
  field.setSelectionRange(at + text.length, at + text.length);
  field.dispatchEvent(new Event('input'));
}

test('text typed into the field reaches the shared notes', () => {
  type('Hello');
  wait();
  expect(other.notes.text).toBe('Hello');
});

test('text of others appears when it arrives, and the selection stays with its letters', () => {
  type('my line');
  wait();
  field.setSelectionRange(3, 7);
  other.type('theirs\n', 0);
  wait();
  expect(field.value).toBe('theirs\nmy line');
  expect(field.value.slice(field.selectionStart, field.selectionEnd)).toBe('line');
});

test('typing continues at the caret while others write before it', () => {
  type('ab');
  wait();
  field.setSelectionRange(1, 1);
  other.type('>> ', 0);
  wait();
  type('X');
  wait();
  expect(field.value).toBe('>> aXb');
  expect(other.notes.text).toBe('>> aXb');
});

test('a composition is not disturbed by changes of others, and loses none of them', () => {
  field.dispatchEvent(new Event('compositionstart'));
  type('に');
  other.type('theirs ', 0);
  wait();
  expect(field.value).toBe('に');
  field.dispatchEvent(new Event('compositionend'));
  wait();
  expect([...field.value].sort()).toEqual([...'theirs に'].sort());
  expect(other.notes.text).toBe(field.value);
});

test('a field that is bound later has the text', () => {
  other.type('before');
  wait();
  const later = document.createElement('textarea');
  bindNotes(later, mine.notes)();
  expect(later.value).toBe('before');
});
