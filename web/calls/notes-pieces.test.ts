import { expect, test } from 'vitest';
import * as Y from 'yjs';
import { longestNotesUpdate } from '#domain/calls/notes-limits.ts';
import { piecesSince } from '#web/calls/notes-pieces.ts';

/** The server's text after each piece. No piece may be too large or depend on a later one. */
function arrive(server: Y.Doc, pieces: Uint8Array[]): string {
  for (const piece of pieces) {
    expect(piece.length).toBeLessThanOrEqual(longestNotesUpdate);
    Y.applyUpdate(server, piece);
    expect(server.store.pendingStructs).toBeNull();
  }
  return server.getText('notes').toString();
}

test('notes at their limit in a script of three bytes arrive whole, in pieces that the server accepts', () => {
  const page = new Y.Doc();
  const pasted = '漢字'.repeat(600_000);
  page.getText('notes').insert(0, pasted);
  expect(arrive(new Y.Doc(), piecesSince(page)) === pasted).toBe(true);
});

test('pieces carry text of earlier pages, insertions, deletions, and emoji', () => {
  const earlier = new Y.Doc();
  earlier.getText('notes').insert(0, `a${'😀'.repeat(100_000)}`);
  const page = new Y.Doc();
  Y.applyUpdate(page, Y.encodeStateAsUpdate(earlier));
  const text = page.getText('notes');
  for (let at = 0; at < 3000; at += 1) text.insert(at * 40, 'in between ');
  text.delete(1000, 5000);
  const server = new Y.Doc();
  const first = piecesSince(page)[0] ?? new Uint8Array();
  Y.applyUpdate(server, first);
  const rest = piecesSince(page, Y.encodeStateVector(server));
  expect(arrive(server, rest) === text.toString()).toBe(true);
});

test('an ordinary edit is one piece', () => {
  const page = new Y.Doc();
  page.getText('notes').insert(0, 'x'.repeat(100_000));
  expect(piecesSince(page)).toHaveLength(1);
});
