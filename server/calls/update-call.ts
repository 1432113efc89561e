import { closeCodes } from '#domain/calls/close-codes.ts';
import type { Call, UpdateCallBody } from '#domain/calls/contract.ts';
import {
  type CallId,
  type ChecklistItemId,
  checklistItemId,
  type OrgId,
  type RoomId,
} from '#domain/ids.ts';
import { requireNotKept } from '#server/consent/kept-call.ts';
import type { Tenant, TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import type { LiveBus } from '#server/platform/live-bus.ts';
import { storedBytes } from '#server/platform/stored-bytes.ts';
import type { Services } from '#server/services.ts';
import { tellCallChange } from './call-changes.ts';
import { checkItems } from './check-item.ts';
import { type Ended, endCall } from './end-call.ts';
import { sendEverybodyOut } from './hosted-removal.ts';
import { mergeNotes, replaceNotes } from './notes.ts';
import type { NotesThreads } from './notes-threads.ts';
import { type NotesTurns, sentLengthOf } from './notes-turns.ts';
import { rateCall } from './rate-call.ts';
import { type Addressed, type Outgoing, tellRoom } from './room-events.ts';
import { readCall, readItems, roomOfCall } from './store.ts';

interface Changes {
  checked: { itemId: ChecklistItemId; checked: boolean }[];
  notes: Uint8Array | null;
  ended: Ended | null;
  call: Call;
}

/** The panels that are told of the changes. */
interface Panels {
  notesTurns: NotesTurns;
  /** How many receive the event. */
  of: (roomId: RoomId, event: Addressed) => number;
  /** Called with how many were told, and the length in bytes. */
  told: (panels: number, bytes: number) => void;
}

/**
 * Applies any of the changes of the specification's PUT of a call in one transaction, and then
 * informs the participants.
 * @throws DomainError 400 for an implausible end, 404, 429 for notes where the organization has stored too much
 */
export async function updateCall(
  services: Services,
  tenant: Tenant,
  id: CallId,
  given: UpdateCallBody,
  panels: Panels,
): Promise<Call> {
  const { bus, notes } = services;
  const apply = (tx: TenantConnection) => applyUpdate(tx, notes, id, given);
  const hasNotes = given.notesUpdate !== undefined || given.notesSnapshot !== undefined;
  const update = async (edit: () => Promise<Changes>) => {
    const changes = await edit();
    tellPeople(bus, tenant.orgId, changes, panels);
    return changes;
  };
  const { ended, call } = hasNotes
    ? await updateInTurn(services, tenant, { id, given, panels }, () =>
        update(() => notes.edit(tenant, id, apply)),
      )
    : await update(() => tenant.transaction(apply));
  if (ended?.callEndedAt)
    sendEverybodyOut(services, { orgId: tenant.orgId, roomId: ended.roomId }, id);
  return call;
}

/** Runs an update of notes once the panels of the call's room may be told of it. */
async function updateInTurn(
  services: Services,
  tenant: Tenant,
  { id, given, panels }: { id: CallId; given: UpdateCallBody; panels: Panels },
  update: () => Promise<Changes>,
): Promise<Changes> {
  storedBytes(services).take(tenant, lengthOfNotes(given));
  const roomId = await tenant.connection((at) => roomOfCall(at, id));
  const { notesUpdate } = given;
  const length = notesUpdate?.length ?? sentLengthOf(lengthOfNotes(given));
  const telling = { length, panels: panels.of(roomId, notesForPanels) };
  return panels.notesTurns.tell(tenant, telling, async (noteTold) => {
    const changes = await update();
    if (changes.notes) noteTold(sentLengthOf(changes.notes.length));
    return changes;
  });
}

const notesForPanels = { channel: 'panel', message: { type: 'note' } } as const;

const lengthOfNotes = ({ notesUpdate, notesSnapshot = '' }: UpdateCallBody): number =>
  Buffer.byteLength(notesUpdate ?? notesSnapshot);

async function applyUpdate(
  tx: TenantConnection,
  threads: NotesThreads,
  id: CallId,
  given: UpdateCallBody,
): Promise<Changes> {
  const known = await readItems(tx, id);
  await tx.run(touchCall, [tx.tenant.orgId, id]);
  const changes: Omit<Changes, 'call'> = { checked: [], notes: null, ended: null };
  const named = namedItems(known, given);
  if (named.length > 0) await requireNotKept(tx, id);
  changes.checked = await checkItems(tx, id, named);
  if (given.notesUpdate !== undefined) {
    changes.notes = await mergeNotes(tx, threads, id, Buffer.from(given.notesUpdate, 'base64'));
  } else if (given.notesSnapshot !== undefined) {
    changes.notes = await replaceNotes(tx, threads, id, given.notesSnapshot);
  }
  if (given.npsScore !== undefined) await rateCall(tx, id, given.npsScore, given.npsFeedback);
  if (given.endedAt !== undefined || given.endForEveryone) {
    changes.ended = await endCall(tx, id, {
      claimedEnd: given.endedAt === undefined ? undefined : new Date(given.endedAt),
      forEveryone: given.endForEveryone ?? false,
    });
  }
  return { ...changes, call: await readCall(tx, id) };
}

/** Returns the items that a PUT names: all of them for the whole map, or only those of single changes. */
function namedItems(known: readonly ChecklistItemId[], given: UpdateCallBody) {
  const { checklistStateJson: whole, checklistChanges: single = {} } = given;
  const named = whole ? known : checklistItemIds(single);
  return named.map((itemId) => ({ itemId, checked: single[itemId] ?? whole?.[itemId] ?? false }));
}

const checklistItemIds = (state: object) =>
  Object.keys(state).map((itemId) => checklistItemId.parse(itemId));

const touchCall: Statement = {
  name: 'touch_call',
  text: `update calls set last_seen_at = now() where org_id = $1 and id = $2 and ended_at is null`,
};

/** Of a message about one item. */
const bytesOfItem = 100;

function tellPeople(
  bus: LiveBus,
  orgId: OrgId,
  { call, checked, notes, ended }: Changes,
  panels: Panels,
): void {
  const { id: callId, roomId } = call;
  const tellPanels = (message: Outgoing, bytes: number) => {
    const event = { channel: 'panel' as const, message };
    tellRoom(bus, roomId, event);
    panels.told(panels.of(roomId, event), bytes);
  };
  // One message for all items: each goes to every panel of the room.
  if (checked.length > 0) {
    const message = { type: 'checklist' as const, callId, items: checked };
    tellPanels(message, checked.length * bytesOfItem);
  }
  if (notes) {
    const update = Buffer.from(notes).toString('base64');
    tellPanels({ type: 'note', callId, update }, update.length);
  }
  if (ended?.callEndedAt) tellCallEnded(bus, { orgId, roomId }, callId, ended.callEndedAt);
  if (ended?.leaver) {
    tellCallChange(bus, orgId);
    const close = { code: closeCodes.callEnded, reason: 'left' };
    tellRoom(bus, roomId, { account: ended.leaver, close });
  }
}

/** Informs all participants in the room, and closes their sockets. */
export function tellCallEnded(
  bus: LiveBus,
  { orgId, roomId }: { orgId: OrgId; roomId: string },
  callId: CallId,
  endedAt: Date,
): void {
  tellRoom(bus, roomId, {
    message: { type: 'call-ended', callId, endedAt: endedAt.toISOString() },
    close: { code: closeCodes.callEnded, reason: 'call ended' },
  });
  tellCallChange(bus, orgId);
}
