import type { Services } from '#server/services.ts';
import type { RunningCall } from './admit-participant.ts';
import { readChecklist } from './check-item.ts';
import type { Person } from './live-person.ts';
import type { LiveSession } from './live-session.ts';
import { notesSince } from './notes.ts';
import { orRefuse } from './or-refuse.ts';

/** Sends the panel's initial state: the stored ticks and notes. */
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
    // A tick published meanwhile may be newer than the result, so read again.
    before = session.sequence;
    items = await readChecklist(tenant, call.id);
  } while (before !== session.sequence);
  session.send({ type: 'checklist', callId: call.id, items });
  const failed = 'The notes could not be read just now.';
  await orRefuse({ session, log: services.log, failed }, () =>
    sendNotes(services, person, session, call),
  );
}

/** Sends staff the stored notes, or the updates missing from a page with the Yjs state `since`. */
export async function sendNotes(
  { notes }: Services,
  { admitted: { claims, tenant } }: Person,
  session: LiveSession,
  call: RunningCall,
  since?: Uint8Array,
): Promise<void> {
  // Guests may attend, but only staff receive the notes.
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
