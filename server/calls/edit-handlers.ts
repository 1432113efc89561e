import { DomainError } from '#domain/errors.ts';
import { checklistItemId } from '#domain/ids.ts';
import { checkItem } from './check-item.ts';
import type { Person } from './live-person.ts';
import type { MessageHandlers, MessageOf, SenderInCall } from './message-handler.ts';
import { mergeNotes } from './notes.ts';
import { sendNotes } from './panel-state.ts';
import { tellRoom } from './room-events.ts';
import { toOthers } from './roster-news.ts';

const inPanel = {
  channel: 'panel',
  failed: 'We couldn’t save this right now.',
  withoutCall: 'No call is in progress in this room.',
} as const;

const toOtherPanels = (person: Person) => ({ ...toOthers(person), channel: 'panel' as const });

/** Edits of the running call's checklist and notes. An edit is stored before `saved` answers it. */
export const editHandlers = {
  check: {
    ...inPanel,
    mayEdit: true,
    publishes: (person) => ({ ...toOtherPanels(person), message: { type: 'checked' } }),
    handle: tickItem,
  },
  note: {
    ...inPanel,
    mayEdit: true,
    publishes: (person) => ({ ...toOtherPanels(person), message: { type: 'note' } }),
    handle: mergeNote,
  },
  'notes-since': {
    ...inPanel,
    handle: (
      { services, rooms, ...receiver }: SenderInCall,
      { vector }: MessageOf<'notes-since'>,
    ) => sendNotes(services, rooms.greetings.notesTurns, receiver, Buffer.from(vector, 'base64')),
  },
} satisfies MessageHandlers<'check' | 'note' | 'notes-since'>;

async function tickItem(
  { services, rooms, person, session, call }: SenderInCall,
  { id, itemId, checked }: MessageOf<'check'>,
): Promise<void> {
  const item = checklistItemId.safeParse(itemId);
  if (!item.success) {
    throw new DomainError('not_found', 'unknown_item', 'This item isn’t on the call’s checklist.');
  }
  const { tenant, claims } = person.admitted;
  const hasChanged = await tenant.connection((at) => checkItem(at, call.id, item.data, checked));
  if (hasChanged) {
    const message = { type: 'checked' as const, itemId: item.data, checked };
    // The page itself is told by `saved`, which may be sent before the bus has delivered the tick.
    rooms.greetings.hear(claims.roomId, { to: person.participant.id, message });
    tellRoom(services.bus, claims.roomId, { ...toOtherPanels(person), message });
  }
  session.send({ type: 'saved', id, savedAt: new Date().toISOString() });
}

async function mergeNote(
  { services: { bus, notes }, rooms, person, session, call }: SenderInCall,
  { id, update }: MessageOf<'note'>,
): Promise<void> {
  const { tenant, claims } = person.admitted;
  const edit = Buffer.from(update, 'base64');
  const others = toOtherPanels(person);
  const panels = rooms.receivers(claims.roomId, { ...others, message: { type: 'note' } });
  const telling = { length: update.length, panels };
  await rooms.greetings.notesTurns.tell(tenant, telling, async (noteTold) => {
    const added = await notes.edit(tenant, call.id, (tx) => mergeNotes(tx, notes, call.id, edit));
    if (!added) return;
    const message = {
      type: 'note' as const,
      callId: call.id,
      update: Buffer.from(added).toString('base64'),
    };
    tellRoom(bus, claims.roomId, { ...others, message });
    noteTold(message.update.length);
  });
  session.send({ type: 'saved', id, savedAt: new Date().toISOString() });
}
