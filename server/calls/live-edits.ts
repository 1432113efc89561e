import type { ToServer } from '#domain/calls/live.ts';
import { DomainError } from '#domain/errors.ts';
import { checklistItemId } from '#domain/ids.ts';
import type { Services } from '#server/services.ts';
import type { Admitted } from './admit-participant.ts';
import { checkItem, readChecklist } from './check-item.ts';
import type { Person } from './live-person.ts';
import type { LiveSession } from './live-session.ts';
import { mergeNotes, notesSince } from './notes.ts';
import { orRefuse } from './or-refuse.ts';
import { tellRoom } from './room-events.ts';

type Call = NonNullable<Admitted['call']>;
type Edit = Extract<ToServer, { type: 'check' | 'note' | 'notes-since' }>;

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');

/** What the panel shows first: the ticks and the notes as they are stored. */
export async function greetPanel(
  { notes, log }: Services,
  person: Person,
  session: LiveSession,
  call: Call,
): Promise<void> {
  const { tenant } = person.admitted;
  if (!isStaff(person)) return;
  let items: Awaited<ReturnType<typeof readChecklist>>;
  let heard: number;
  do {
    // A tick that was told meanwhile may be newer than what was read.
    heard = session.sequence;
    items = await readChecklist(tenant, call.id);
  } while (heard !== session.sequence);
  session.send({ type: 'checklist', callId: call.id, items });
  const failed = 'The notes could not be read just now.';
  await orRefuse({ session, log, failed }, async () => {
    const stored = await tenant.write((tx) => notesSince(tx, notes, call.id), {
      through: notes.gateOf(tenant.orgId),
    });
    session.send({
      type: 'note',
      callId: call.id,
      update: base64(stored.update),
      vector: base64(stored.vector),
    });
  });
}

/** Stores an edit, answers `saved`, tells the others; or `refused`, and why. */
export async function editCall(
  services: Services,
  person: Person,
  session: LiveSession,
  call: Call | null,
  edit: Edit,
): Promise<void> {
  const id = 'id' in edit ? { id: edit.id } : {};
  const failed = 'This could not be saved just now.';
  await orRefuse({ session, log: services.log, ...id, failed }, async () => {
    if (!call) throw new DomainError('conflict', 'no_call', 'No call is in progress in this room.');
    if (edit.type === 'notes-since')
      return await answerNotes(services, person, session, call, edit);
    if (!person.admitted.mayEdit) {
      throw new DomainError('forbidden', 'forbidden', 'Your role does not allow this.');
    }
    if (edit.type === 'check') await check(services, person, call, edit);
    else await note(services, person, call, edit);
    session.send({ type: 'saved', id: edit.id, savedAt: new Date().toISOString() });
  });
}

async function check(
  { bus }: Services,
  person: Person,
  call: Call,
  edit: Extract<Edit, { type: 'check' }>,
): Promise<void> {
  const item = checklistItemId.safeParse(edit.itemId);
  if (!item.success) {
    throw new DomainError('not_found', 'unknown_item', 'This item is not on the call’s checklist.');
  }
  const { checked } = edit;
  await person.admitted.tenant.read((at) => checkItem(at, call.id, item.data, checked));
  tellRoom(bus, person.admitted.claims.roomId, {
    channel: 'panel',
    except: person.participant.id,
    message: { type: 'checked', itemId: item.data, checked },
  });
}

async function note(
  { bus, notes }: Services,
  person: Person,
  call: Call,
  edit: Extract<Edit, { type: 'note' }>,
): Promise<void> {
  const update = Buffer.from(edit.update, 'base64');
  const { tenant, claims } = person.admitted;
  let added: Uint8Array | null;
  try {
    added = await tenant.write((tx) => mergeNotes(tx, notes, call.id, update), {
      through: notes.gateOf(tenant.orgId),
    });
  } catch (error) {
    notes.delete(call.id);
    throw error;
  }
  if (!added) return;
  tellRoom(bus, claims.roomId, {
    channel: 'panel',
    except: person.participant.id,
    message: { type: 'note', callId: call.id, update: base64(added) },
  });
}

async function answerNotes(
  { notes }: Services,
  person: Person,
  session: LiveSession,
  call: Call,
  { vector }: Extract<Edit, { type: 'notes-since' }>,
): Promise<void> {
  if (!isStaff(person)) return;
  const since = Buffer.from(vector, 'base64');
  const { tenant } = person.admitted;
  const found = await tenant.write((tx) => notesSince(tx, notes, call.id, since), {
    through: notes.gateOf(tenant.orgId),
  });
  session.send({
    type: 'note',
    callId: call.id,
    update: base64(found.update),
    vector: base64(found.vector),
  });
}

/** Guests attend; checklist and notes are the staff's alone. */
const isStaff = (person: Person) => person.admitted.claims.kind === 'staff';
