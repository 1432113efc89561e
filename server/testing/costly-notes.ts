import * as Y from 'yjs';

/**
 * Creates notes of many runs, and a valid update that costs far more than its size. Each of its
 * insertions was made when only the first character was known, so Yjs compares it with every run
 * since.
 */
export function costlyNotes(runs: number, insertions: number) {
  const doc = new Y.Doc();
  doc.clientID = 1;
  doc.getText('notes').insert(0, 'x');
  const first = Y.encodeStateAsUpdate(doc);
  doc.getText('notes').insert(1, 'x'.repeat(runs));
  const other = new Y.Doc();
  other.clientID = 2;
  Y.applyUpdate(other, Y.encodeStateAsUpdate(doc));
  other.transact(() => {
    for (let at = 1; at < runs; at += 2) other.getText('notes').insert(at + 1, 'y');
  });
  const updates = Array.from({ length: insertions }, (_, n) => {
    const page = new Y.Doc();
    page.clientID = 1000 + n;
    Y.applyUpdate(page, first);
    const before = Y.encodeStateVector(page);
    page.getText('notes').insert(1, 'z');
    return Y.encodeStateAsUpdate(page, before);
  });
  return { stored: Y.encodeStateAsUpdate(other), costly: Y.mergeUpdates(updates) };
}
