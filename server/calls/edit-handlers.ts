import { DomainError } from '#domain/errors.ts';
import { checklistItemId } from '#domain/ids.ts';
import type { Services } from '#server/services.ts';
import { checkItem, readChecklist } from './check-item.ts';
import type { Person } from './live-person.ts';
import type { LiveSession } from './live-session.ts';
import type { MessageHandlers, MessageOf, RunningCall, SenderInCall } from './message-handler.ts';
import { mergeNotes, notesSince } from './notes.ts';
import { orRefuse } from './or-refuse.ts';
import { tellRoom } from './room-events.ts';

const inPanel = {
  channel: 'panel',
  failed: 'This could not be saved just now.',
  withoutCall: 'No call is in progress in this room.',
} as const;

/** The checklist and the notes of the running call. An edit is stored before `saved` answers it. */
export const editHandlers = {
  check: { ...inPanel, mayEdit: true, handle: tickItem },
  note: { ...inPanel, mayEdit: true, handle: mergeNote },
  'notes-since': { ...inPanel, handle: sendNotesSince },
} satisfies MessageHandlers<'check' | 'note' | 'notes-since'>;

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');

async function tickItem(
  { services, person, session, call }: SenderInCall,
  { id, itemId, checked }: MessageOf<'check'>,
): Promise<void> {
  const item = checklistItemId.safeParse(itemId);
  if (!item.success) {
    throw new DomainError('not_found', 'unknown_item', 'This item is not on the call’s checklist.');
  }
  const { tenant, claims } = person.admitted;
  await tenant.read((at) => checkItem(at, call.id, item.data, checked));
  tellRoom(services.bus, claims.roomId, {
    channel: 'panel',
    except: person.participant.id,
    message: { type: 'checked', itemId: item.data, checked },
  });
  session.send({ type: 'saved', id, savedAt: new Date().toISOString() });
}

async function mergeNote(
  { services: { bus, notes }, person, session, call }: SenderInCall,
  { id, update }: MessageOf<'note'>,
): Promise<void> {
  const { tenant, claims } = person.admitted;
  let added: Uint8Array | null;
  try {
    added = await tenant.write(
      (tx) => mergeNotes(tx, notes, call.id, Buffer.from(update, 'base64')),
      {
        through: notes.gateOf(tenant.orgId),
      },
    );
  } catch (error) {
    notes.delete(call.id);
    throw error;
  }
  if (added) {
    tellRoom(bus, claims.roomId, {
      channel: 'panel',
      except: person.participant.id,
      message: { type: 'note', callId: call.id, update: base64(added) },
    });
  }
  session.send({ type: 'saved', id, savedAt: new Date().toISOString() });
}

async function sendNotesSince(
  { services, person, session, call }: SenderInCall,
  { vector }: MessageOf<'notes-since'>,
): Promise<void> {
  if (isStaff(person))
    await sendNotes(services, person, session, call, Buffer.from(vector, 'base64'));
}

/** What the panel shows first: the ticks and the notes as they are stored. */
export async function greetPanel(
  services: Services,
  person: Person,
  session: LiveSession,
  call: RunningCall,
): Promise<void> {
  const { tenant } = person.admitted;
  if (!isStaff(person)) return;
  let items: Awaited<ReturnType<typeof readChecklist>>;
  let before: number;
  do {
    // A tick that was published meanwhile may be newer than what was read.
    before = session.sequence;
    items = await readChecklist(tenant, call.id);
  } while (before !== session.sequence);
  session.send({ type: 'checklist', callId: call.id, items });
  const failed = 'The notes could not be read just now.';
  await orRefuse({ session, log: services.log, failed }, () =>
    sendNotes(services, person, session, call),
  );
}

async function sendNotes(
  { notes }: Services,
  { admitted: { tenant } }: Person,
  session: LiveSession,
  call: RunningCall,
  since?: Uint8Array,
): Promise<void> {
  const missing = await tenant.write((tx) => notesSince(tx, notes, call.id, since), {
    through: notes.gateOf(tenant.orgId),
  });
  session.send({
    type: 'note',
    callId: call.id,
    update: base64(missing.update),
    vector: base64(missing.vector),
  });
}

/** Guests attend; checklist and notes belong to the staff. */
const isStaff = (person: Person) => person.admitted.claims.kind === 'staff';
