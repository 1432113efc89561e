import type { Logger } from '#server/platform/log.ts';
import { beginAttendance, endAttendance } from './attendance-store.ts';
import type { Person } from './live-person.ts';
import type { LocalRoom } from './local-room.ts';

/**
 * Begins an attendance: for staff when they open the call, for guests once they leave the preview. While the
 * person's rights are looked up, it becomes due instead.
 */
export function attend(person: Person, { call }: LocalRoom, log: Logger): void {
  const { claims, name, tenant } = person.admitted;
  person.isAttendanceDue = person.lookUps > 0;
  if (!call || person.isAttendanceDue) return;
  if (claims.kind === 'guest' && !person.participant.inMeeting) return;
  const browserId = claims.kind === 'guest' ? claims.browserId : undefined;
  const who = { id: claims.participantId, kind: claims.kind, name, browserId };
  person.attending = beginAttendance(tenant, call.id, who).catch((error) => notStored(log, error));
}

/** Ends the last attendance, once its beginning is stored. */
export function attendNoMore({ admitted, attending }: Person, log: Logger): void {
  attending
    .then(() => endAttendance(admitted.tenant, admitted.claims.participantId))
    .catch((error) => notStored(log, error));
}

function notStored(log: Logger, error: unknown): void {
  log.error({ err: error }, 'an attendance could not be stored');
}
