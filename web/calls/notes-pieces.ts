import * as Y from 'yjs';
import { longestNotesUpdate } from '#domain/calls/notes-limits.ts';

/**
 * Characters of one piece: even with three bytes each, or each a run of its own, they stay under
 * the limit.
 */
const charactersOfPiece = 15_000;

/**
 * Returns what is new in the document since the state vector (or all of it), as updates that the
 * server accepts: one, or several that must be sent in this order.
 */
export function piecesSince(doc: Y.Doc, vector?: Uint8Array): Uint8Array[] {
  const whole = Y.encodeStateAsUpdate(doc, vector);
  if (whole.length <= longestNotesUpdate) return [whole];
  const copy = new Y.Doc({ gc: false });
  Y.applyUpdate(copy, Y.encodeStateAsUpdate(doc));
  const pieces: Uint8Array[] = [];
  let sent = vector ?? Y.encodeStateVector(new Y.Doc());
  for (const reached of stepsTo(doc, sent)) {
    const before = Y.createDocFromSnapshot(copy, Y.createSnapshot(Y.createDeleteSet(), reached));
    pieces.push(Y.encodeStateAsUpdate(before, sent));
    sent = Y.encodeStateVector(before);
  }
  // Deletions can be encoded only now that all text is there.
  return [...pieces, Y.encodeStateAsUpdate(doc, sent)];
}

/** This page's own edits come last: they build on what earlier pages wrote. */
function* stepsTo(doc: Y.Doc, from: Uint8Array): Generator<Map<number, number>> {
  const reached = Y.decodeStateVector(from);
  const clients = [...Y.decodeStateVector(Y.encodeStateVector(doc))];
  clients.sort(([one], [other]) => Number(one === doc.clientID) - Number(other === doc.clientID));
  for (const [client, end] of clients) {
    for (let at = reached.get(client) ?? 0; at < end; ) {
      at = Math.min(end, at + charactersOfPiece);
      if (at < end && isWithinCharacter(doc, client, at)) at += 1;
      reached.set(client, at);
      yield new Map(reached);
    }
  }
}

/** Yjs would keep neither half of a character outside the basic plane. */
function isWithinCharacter(doc: Y.Doc, client: number, clock: number): boolean {
  const item = Y.getItem(doc.store, Y.createID(client, clock));
  if (!(item.content instanceof Y.ContentString)) return false;
  const before = item.content.str.charCodeAt(clock - item.id.clock - 1);
  return before >= 0xd800 && before <= 0xdbff;
}
