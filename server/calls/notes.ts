import * as Y from 'yjs';
import { longestNotes } from '#domain/calls/contract.ts';
import { DomainError, notFound } from '#domain/errors.ts';
import type { CallId } from '#domain/ids.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { actingAccount, type TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { and, asc, eq, gt } from '#server/platform/drizzle.ts';
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
  return changeNotes(tx, cache, call, (doc) => {
    try {
      Y.applyUpdate(doc, update);
    } catch {
      throw new DomainError('invalid', 'bad_note', 'This edit of the notes cannot be read.');
    }
  });
}

/** Puts a whole text in place of the notes, as the one difference between the two. */
export function replaceNotes(
  tx: TenantConnection,
  cache: NotesCache,
  call: CallId,
  text: string,
): Promise<Uint8Array | null> {
  return changeNotes(tx, cache, call, (doc) => {
    const notes = doc.getText(textName);
    const { start, removed, inserted } = difference(notes.toString(), text);
    doc.transact(() => {
      if (removed > 0) notes.delete(start, removed);
      if (inserted) notes.insert(start, inserted);
    });
  });
}

/** What the page lacks, whose state vector is given (or all), and the server's own vector. */
export async function notesSince(
  at: TenantConnection,
  cache: NotesCache,
  call: CallId,
  vector?: Uint8Array,
): Promise<{ update: Uint8Array; vector: Uint8Array }> {
  const { doc } = await catchUp(at, cache, call);
  return { update: Y.encodeStateAsUpdate(doc, vector), vector: Y.encodeStateVector(doc) };
}

async function changeNotes(
  tx: TenantConnection,
  cache: NotesCache,
  call: CallId,
  change: (doc: Y.Doc) => void,
): Promise<Uint8Array | null> {
  const { orgId } = tx.tenant;
  const [locked] = await tx.run<{ has_notes: boolean }>(lockCall, [orgId, call]);
  if (!locked) throw notFound();
  const notes = await catchUp(tx, cache, call);
  const changes: Uint8Array[] = [];
  const keep = (update: Uint8Array) => changes.push(update);
  notes.doc.on('update', keep);
  try {
    change(notes.doc);
    if (changes.length === 0) return null;
    const added = Y.mergeUpdates(changes);
    const text = notes.doc.getText(textName).toString();
    refuseUnkeepable(text);
    await store(tx, notes, call, added, text);
    if (!locked.has_notes) {
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

/** The document with everything that is stored by now. */
async function catchUp(at: TenantConnection, cache: NotesCache, call: CallId): Promise<Notes> {
  const notes = cache.get(call) ?? { doc: new Y.Doc({ gc: true }), lastUpdate: 0, updateCount: 0 };
  const missed = await at.db
    .select({ id: callNoteUpdates.id, update: callNoteUpdates.update })
    .from(callNoteUpdates)
    .where(
      and(
        eq(callNoteUpdates.orgId, at.tenant.orgId),
        eq(callNoteUpdates.callId, call),
        gt(callNoteUpdates.id, notes.lastUpdate),
      ),
    )
    .orderBy(asc(callNoteUpdates.id));
  for (const { id, update } of missed) {
    Y.applyUpdate(notes.doc, update);
    notes.lastUpdate = id;
    notes.updateCount += 1;
  }
  cache.set(call, notes);
  return notes;
}

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

/** The one stretch in which two texts differ. */
export function difference(from: string, to: string) {
  const shorter = Math.min(from.length, to.length);
  let start = 0;
  while (start < shorter && from[start] === to[start]) start += 1;
  let end = 0;
  while (end < shorter - start && from[from.length - 1 - end] === to[to.length - 1 - end]) end += 1;
  return {
    start,
    removed: from.length - start - end,
    inserted: to.slice(start, to.length - end),
  };
}

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
