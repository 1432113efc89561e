import type { Services } from '#server/services.ts';
import type { RunningCall } from './admit-participant.ts';
import { readChecklist } from './check-item.ts';
import type { Person } from './live-person.ts';
import type { LiveSession } from './live-session.ts';
import { notesSince } from './notes.ts';
import { orRefuse } from './or-refuse.ts';

/** What the panel shows first: the ticks and the notes as they are stored. */
export async function greetPanel(
  services: Services,
  person: Person,
  session: LiveSession,
  call: RunningCall,
): Promise<void> {
  const { tenant } = person.admitted;
  if (person.admitted.claims.kind !== 'staff') return;
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

/** Sends staff what is stored of the notes, or what a page with the Yjs state `since` lacks. */
export async function sendNotes(
  { notes }: Services,
  { admitted: { claims, tenant } }: Person,
  session: LiveSession,
  call: RunningCall,
  since?: Uint8Array,
): Promise<void> {
  // Guests attend; the notes belong to the staff.
  if (claims.kind !== 'staff') return;
  const missing = await tenant.transaction((tx) => notesSince(tx, notes, call.id, since), {
    through: notes.gateOf(tenant.orgId),
  });
  session.send({
    type: 'note',
    callId: call.id,
    update: Buffer.from(missing.update).toString('base64'),
    vector: Buffer.from(missing.vector).toString('base64'),
  });
}
