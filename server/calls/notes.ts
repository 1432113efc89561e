import * as Y from 'yjs';
import { longestNotes } from '#domain/calls/contract.ts';
import { DomainError, notFound } from '#domain/errors.ts';
import type { CallId } from '#domain/ids.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { actingAccount, type TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { and, eq } from '#server/platform/drizzle.ts';
import { callNoteUpdates, calls } from './tables.ts';

/** The name of the shared text within the document, the same in the browser. */
const textName = 'notes';
/** A call's updates are folded into one once there are this many. */
const mostUpdates = 200;

/**
 * The notes of the calls that this process serves, as documents in memory. PostgreSQL holds the
 * truth: every change is stored, under a lock on its call, before anybody hears of it, and what
 * another process stored meanwhile is read first.
 */
export interface NotesCache {
  get(call: CallId): Notes | undefined;
  set(call: CallId, notes: Notes): void;
  delete(call: CallId): void;
}
interface Notes {
  doc: Y.Doc;
  lastUpdate: number;
  updateCount: number;
}

/** Merges a Yjs update (version 1) of a page. Answers what was new in it, or null. */
export function mergeNotes(
  tx: TenantConnection,
  cache: NotesCache,
  call: CallId,
  update: Uint8Array,
): Promise<Uint8Array | null> {
  return changeNotes(tx, cache, call, (doc, changes) => {
    try {
      Y.applyUpdate(doc, update);
    } catch {
      throw unreadable();
    }
    // An edit that builds on one that never came waits for it, and must be stored as it waits.
    if (doc.store.pendingStructs || doc.store.pendingDs) changes.push(update);
  });
}

const unreadable = () =>
  new DomainError('invalid', 'bad_note', 'This edit of the notes cannot be read.');

/** Puts a whole text in place of the notes, as the one difference between the two. */
export function replaceNotes(
  tx: TenantConnection,
  cache: NotesCache,
  call: CallId,
  text: string,
): Promise<Uint8Array | null> {
  return changeNotes(tx, cache, call, (doc) => {
    const notes = doc.getText(textName);
    // Half a character cannot be stored, and would then differ here from what is.
    const { start, removed, inserted } = difference(notes.toString(), text.toWellFormed());
    doc.transact(() => {
      if (removed > 0) notes.delete(start, removed);
      if (inserted) notes.insert(start, inserted);
    });
  });
}

/**
 * What the page lacks, whose state vector is given (or all), and the server's own vector. Waits for
 * an edit under way: nobody hears of what may not be stored in the end.
 */
export async function notesSince(
  tx: TenantConnection,
  cache: NotesCache,
  call: CallId,
  vector?: Uint8Array,
): Promise<{ update: Uint8Array; vector: Uint8Array }> {
  await lockNotes(tx, call);
  const { doc } = await catchUp(tx, cache, call);
  try {
    return { update: Y.encodeStateAsUpdate(doc, vector), vector: Y.encodeStateVector(doc) };
  } catch {
    throw unreadable();
  }
}

async function changeNotes(
  tx: TenantConnection,
  cache: NotesCache,
  call: CallId,
  change: (doc: Y.Doc, changes: Uint8Array[]) => void,
): Promise<Uint8Array | null> {
  const hadNotes = await lockNotes(tx, call);
  const notes = await catchUp(tx, cache, call);
  const changes: Uint8Array[] = [];
  const keep = (update: Uint8Array) => changes.push(update);
  notes.doc.on('update', keep);
  try {
    change(notes.doc, changes);
    if (changes.length === 0) return null;
    const added = Y.mergeUpdates(changes);
    const text = notes.doc.getText(textName).toString();
    refuseUnkeepable(text);
    await store(tx, notes, call, added, text);
    if (!hadNotes) {
      await recordEvent(tx, {
        action: 'CALL_UPDATED',
        entity: 'call',
        entityId: call,
        metadata: { fields: ['notesSnapshot'] },
      });
    }
    return added;
  } catch (error) {
    // The document in memory may now be ahead of what is stored: read it anew next time.
    cache.delete(call);
    throw error;
  } finally {
    notes.doc.off('update', keep);
  }
}

/** Held until the transaction ends. @returns whether the call has notes @throws DomainError 404 */
async function lockNotes(tx: TenantConnection, call: CallId): Promise<boolean> {
  const [locked] = await tx.run<{ has_notes: boolean }>(lockCall, [tx.tenant.orgId, call]);
  if (!locked) throw notFound();
  return locked.has_notes;
}
const lockCall: Statement = {
  name: 'lock_call_notes',
  text: `select notes_snapshot is not null as has_notes from calls
    where org_id = $1 and id = $2 for update`,
};

async function store(
  tx: TenantConnection,
  notes: Notes,
  call: CallId,
  added: Uint8Array,
  text: string,
): Promise<void> {
  const { orgId } = tx.tenant;
  const ofCall = and(eq(callNoteUpdates.orgId, orgId), eq(callNoteUpdates.callId, call));
  const fold = notes.updateCount >= mostUpdates;
  if (fold) await tx.db.delete(callNoteUpdates).where(ofCall);
  const [stored] = await tx.db
    .insert(callNoteUpdates)
    .values({
      orgId,
      callId: call,
      update: Buffer.from(fold ? Y.encodeStateAsUpdate(notes.doc) : added),
      createdBy: actingAccount(tx.tenant),
    })
    .returning({ id: callNoteUpdates.id });
  await tx.db
    .update(calls)
    .set({ notesSnapshot: text })
    .where(and(eq(calls.orgId, orgId), eq(calls.id, call)));
  notes.lastUpdate = stored?.id ?? notes.lastUpdate;
  notes.updateCount = fold ? 1 : notes.updateCount + 1;
}

/** The document with everything that is stored by now, and nothing else. To call with the lock held. */
async function catchUp(tx: TenantConnection, cache: NotesCache, call: CallId): Promise<Notes> {
  const kept = cache.get(call);
  const known = kept?.lastUpdate ?? 0;
  const stored = await tx.run<{ id: string; update: Buffer | null }>(updatesFrom, [
    tx.tenant.orgId,
    call,
    known,
  ]);
  // Its last update is not there: it was never committed, or another process folded it away.
  if (kept && known > 0 && Number(stored[0]?.id) !== known) {
    cache.delete(call);
    return catchUp(tx, cache, call);
  }
  const notes = kept ?? { doc: new Y.Doc({ gc: true }), lastUpdate: 0, updateCount: 0 };
  for (const { id, update } of stored) {
    if (!update) continue;
    Y.applyUpdate(notes.doc, update);
    notes.lastUpdate = Number(id);
    notes.updateCount += 1;
  }
  cache.set(call, notes);
  return notes;
}
const updatesFrom: Statement = {
  name: 'note_updates_from',
  text: `select id, case when id > $3 then update end as update from call_note_updates
    where org_id = $1 and call_id = $2 and id >= $3 order by id`,
};

function refuseUnkeepable(text: string): void {
  if (text.length > longestNotes) {
    throw new DomainError(
      'too_large',
      'notes_too_long',
      'These notes are too long to save. Please keep them under 1,200,000 characters.',
    );
  }
  if (text.includes('\0')) {
    throw new DomainError('invalid', 'nul_character', 'Please remove the NUL character.');
  }
}

/**
 * The one stretch in which two texts differ, in UTF-16 units. It never cuts a character outside the
 * basic plane in two, since Yjs would keep neither half.
 */
export function difference(from: string, to: string) {
  const shorter = Math.min(from.length, to.length);
  let start = 0;
  while (start < shorter && from[start] === to[start]) start += 1;
  if (start > 0 && isHighSurrogate(from.charCodeAt(start - 1))) start -= 1;
  let end = 0;
  while (end < shorter - start && from[from.length - 1 - end] === to[to.length - 1 - end]) end += 1;
  if (end > 0 && isLowSurrogate(from.charCodeAt(from.length - end))) end -= 1;
  return {
    start,
    removed: from.length - start - end,
    inserted: to.slice(start, to.length - end),
  };
}

const isHighSurrogate = (unit: number) => unit >= 0xd800 && unit <= 0xdbff;
const isLowSurrogate = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff;

/** Keeps the newest `most` documents; the others are read again when they are needed. */
export function notesCache(most = 500): NotesCache {
  const kept = new Map<CallId, Notes>();
  return {
    get: (call) => kept.get(call),
    set(call, notes) {
      kept.delete(call);
      kept.set(call, notes);
      const [oldest] = kept.keys();
      if (kept.size > most && oldest) kept.delete(oldest);
    },
    delete: (call) => kept.delete(call),
  };
}
