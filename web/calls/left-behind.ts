import * as Y from 'yjs';
import { updateCall } from '#domain/calls/contract.ts';
import { type CallId, callId } from '#domain/ids.ts';
import { fromBase64, toBase64 } from '#web/calls/base64.ts';
import { piecesSince } from '#web/calls/notes-pieces.ts';
import type { UnsavedEdits, UnsavedEditsStore } from '#web/calls/unsaved-edits.ts';
import { isRefusedForGood, request } from '#web/platform/api.ts';

/** Saves single ticks by request, which keeps ticks that other people made meanwhile. */
export async function saveChecks(id: CallId, checks: Record<string, boolean>): Promise<void> {
  await request(updateCall, { params: { id }, body: { checklistChanges: checks } });
}

async function save(id: CallId, { notes, checks }: UnsavedEdits): Promise<void> {
  if (checks) await saveChecks(id, checks);
  if (notes === undefined) return;
  const doc = new Y.Doc();
  Y.applyUpdate(doc, fromBase64(notes));
  for (const piece of piecesSince(doc)) {
    await request(updateCall, { params: { id }, body: { notesUpdate: toBase64(piece) } });
  }
}

/**
 * Sends the edits that earlier pages could not send before their call was over. `except` is the
 * call that a page has open now. Edits that the server refuses for good are dropped; the others are
 * kept for next time.
 */
export async function sendLeftBehind(store: UnsavedEditsStore, except?: string): Promise<void> {
  for (const text of store.callIds()) {
    const id = callId.safeParse(text);
    if (!id.success || text === except) continue;
    try {
      await save(id.data, store.read(`call:${text}`));
      store.remove(`call:${text}`);
    } catch (error) {
      if (isRefusedForGood(error) && error.status !== 401) store.remove(`call:${text}`);
      else return;
    }
  }
}
