import { longestNotesUpdate, mostStoredNotes } from '#domain/calls/notes-limits.ts';
import { notFound } from '#domain/errors.ts';
import type { CallId } from '#domain/ids.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { isHeld, underLegalHold } from '#server/consent/discard-captured.ts';
import { actingAccount, type TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { and, eq } from '#server/platform/drizzle.ts';
import { updateTooLarge } from './notes-refusals.ts';
import type { NotesChange, NotesTask } from './notes-tasks.ts';
import type { NotesDocument, NotesThreads } from './notes-threads.ts';
import { callNoteUpdates, calls } from './tables.ts';

/** A call's updates are merged into one once there are this many. */
const mostUpdates = 200;
/** Update and state vector of a document without any edit (update version 1). */
const emptyState = { update: Uint8Array.of(0, 0), vector: Uint8Array.of(0) };

/**
 * Merges a Yjs update (version 1) of a page. Returns its new parts, or null.
 * @throws DomainError 400 or 413 when it is not an edit of the text, is too large or takes too long
 */
export async function mergeNotes(
  tx: TenantConnection,
  threads: NotesThreads,
  call: CallId,
  update: Uint8Array,
): Promise<Uint8Array | null> {
  if (update.length > longestNotesUpdate) throw updateTooLarge();
  return changeNotes(tx, threads, call, (limits) => ({ kind: 'merge', update, ...limits }));
}

/** Replaces the notes by a whole text, as a single difference. */
export function replaceNotes(
  tx: TenantConnection,
  threads: NotesThreads,
  call: CallId,
  text: string,
): Promise<Uint8Array | null> {
  return changeNotes(tx, threads, call, (limits) => ({ kind: 'replace', text, ...limits }));
}

/**
 * Returns the updates missing from the page with this state vector (or all), and the server's own
 * vector. It waits for an edit in progress, so that no page receives one that may not be stored in
 * the end.
 * @param beforeReading is told the stored bytes of notes that exist; they are not read if it throws
 */
export async function notesSince(
  tx: TenantConnection,
  threads: NotesThreads,
  call: CallId,
  vector?: Uint8Array,
  beforeReading?: (stored: number) => void,
): Promise<{ update: Uint8Array; vector: Uint8Array }> {
  await lockNotes(tx, call);
  // Most calls have no notes at a page's first request.
  const { count, bytes } = await storedFrom(tx, call, Number.MAX_SAFE_INTEGER);
  if (count === 0) return emptyState;
  beforeReading?.(bytes);
  return threads.use(tx.tenant.orgId, call, async (document) => {
    await catchUp(tx, document, call);
    const read = { kind: 'read' as const, call, vector };
    const { update, vector: own } = await document.ask(read, 'read');
    return { update, vector: own };
  });
}

type Limits = Pick<Extract<NotesTask, { kind: 'merge' }>, 'call' | 'room' | 'most'>;

async function changeNotes(
  tx: TenantConnection,
  threads: NotesThreads,
  call: CallId,
  taskOf: (limits: Limits) => NotesTask,
): Promise<Uint8Array | null> {
  const { hadNotes, hasEnded } = await lockNotes(tx, call);
  // Notes are written until the call ends, and then kept by a hold.
  if (hasEnded && (await isHeld(tx, call))) throw underLegalHold();
  try {
    const { change } = await threads.use(tx.tenant.orgId, call, async (document) => {
      const { count, bytes } = await catchUp(tx, document, call);
      const room = count >= mostUpdates ? 0 : mostStoredNotes - bytes;
      return document.ask(taskOf({ call, room, most: mostStoredNotes }), 'changed');
    });
    if (change === null) return null;
    const lastUpdate = await store(tx, call, change);
    threads.keep(tx.tenant.orgId, call, { lastUpdate, text: change.text });
    if (!hadNotes) {
      await recordEvent(tx, {
        action: 'CALL_UPDATED',
        entity: 'call',
        entityId: call,
        metadata: { fields: ['notesSnapshot'] },
      });
    }
    return change.added;
  } catch (error) {
    // The document in memory may now be ahead of storage.
    threads.delete(call);
    throw error;
  }
}

/**
 * Locks until the transaction ends.
 * @returns whether the call has notes, and whether it has ended
 * @throws DomainError 404
 */
async function lockNotes({ run, tenant }: TenantConnection, call: CallId) {
  const values = [tenant.orgId, call];
  const [locked] = await run<{ hadNotes: boolean; hasEnded: boolean }>(lockCall, values);
  if (!locked) throw notFound();
  return locked;
}
const lockCall: Statement = {
  name: 'lock_call_notes',
  text: `select notes_snapshot is not null as "hadNotes", ended_at is not null as "hasEnded" from calls
    where org_id = $1 and id = $2 for no key update`,
};

/** @returns the id of the stored update */
async function store(tx: TenantConnection, call: CallId, change: NotesChange): Promise<number> {
  const { orgId } = tx.tenant;
  const { added, state, text } = change;
  const ofCall = and(eq(callNoteUpdates.orgId, orgId), eq(callNoteUpdates.callId, call));
  if (state) await tx.db.delete(callNoteUpdates).where(ofCall);
  const [stored] = await tx.db
    .insert(callNoteUpdates)
    .values({
      orgId,
      callId: call,
      update: Buffer.from(state ?? added),
      createdBy: actingAccount(tx.tenant),
    })
    .returning({ id: callNoteUpdates.id });
  await tx.db
    .update(calls)
    .set({ notesSnapshot: text })
    .where(and(eq(calls.orgId, orgId), eq(calls.id, call)));
  return stored?.id ?? 0;
}

/** Brings the document to the stored state. The caller holds the lock. */
async function catchUp(tx: TenantConnection, document: NotesDocument, call: CallId) {
  const known = document.lastUpdate;
  let stored = await storedFrom(tx, call, known);
  // Its last update is missing: it was never committed, or another process merged it with others.
  const isFresh = known === 0 || stored.updates[0]?.id !== known;
  if (isFresh && known !== 0) stored = await storedFrom(tx, call, 0);
  const updates = stored.updates.flatMap(({ update }) => (update ? [update] : []));
  const last = stored.updates.at(-1)?.id ?? 0;
  if (isFresh || updates.length > 0) await document.load({ updates, isFresh, last });
  return stored;
}

interface Stored {
  /** Of all updates of the call. */
  bytes: number;
  count: number;
  /** From the requested one on, which itself is returned without its bytes. */
  updates: { id: number; update: Buffer | null }[];
}

async function storedFrom(tx: TenantConnection, call: CallId, known: number): Promise<Stored> {
  const rows = await tx.run<{
    id: string | null;
    update: Buffer | null;
    bytes: string;
    count: number;
  }>(updatesFrom, [tx.tenant.orgId, call, known]);
  const { bytes = 0, count = 0 } = rows[0] ?? {};
  const updates = rows.flatMap(({ id, update }) =>
    id === null ? [] : [{ id: Number(id), update }],
  );
  return { bytes: Number(bytes), count, updates };
}
const updatesFrom: Statement = {
  name: 'note_updates_from',
  text: `with size as (
      select coalesce(sum(octet_length(update)), 0) as bytes, count(*)::int as count
      from call_note_updates where org_id = $1 and call_id = $2
    )
    select u.id, case when u.id > $3 then u.update end as update, size.bytes, size.count
    from size
    left join call_note_updates u on u.org_id = $1 and u.call_id = $2 and u.id >= $3
    order by u.id`,
};
