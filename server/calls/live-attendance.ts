import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError } from '#domain/errors.ts';
import type { CallId, ParticipantId } from '#domain/ids.ts';
import { captureMeans } from '#server/consent/capture-means.ts';
import { startWithCall } from '#server/consent/captures.ts';
import { tellRecordingChange } from '#server/consent/recording-events.ts';
import { tenantOf } from '#server/platform/access.ts';
import type { LiveBus } from '#server/platform/live-bus.ts';
import type { MeetingClaims } from '#server/rooms/meeting-token.ts';
import type { Services } from '#server/services.ts';
import type { RunningCall } from './admit-participant.ts';
import { beginAttendance, endAttendance, noteOpenedCall } from './attendance-store.ts';
import { tellCallChange } from './call-changes.ts';
import { discardUnusedCall, endLeftCall } from './discard-call.ts';
import { isElsewhere, type Person } from './live-person.ts';
import type { LocalRoom } from './local-room.ts';
import { tellRoom } from './room-events.ts';
import { tellCallEnded } from './update-call.ts';

type Attending = Pick<Services, 'bus' | 'database' | 'log' | 'speech' | 'video'>;

/**
 * Whether a participant who is connected is in the call: once they leave the preview of our own page. With other
 * pages, staff are in it as soon as they open the call.
 */
export const isInCall = ({ admitted, participant }: Person, { video }: Pick<Services, 'video'>) =>
  participant.inMeeting || (video.joins !== 'page' && admitted.claims.kind === 'staff');

/** Returns the running calls that some of the given people have open without being in them. */
export function openCallsOf(
  people: Person[],
  callOf: (person: Person) => RunningCall | null,
  services: Pick<Services, 'video'>,
): CallId[] {
  const opening = people.filter((person) => !isInCall(person, services));
  return [...new Set(opening.flatMap((person) => callOf(person)?.id ?? []))];
}

/** Keeps a hello and a revocation below a second, whatever else delays the attendance. */
const patienceMs = 500;
/** Attendances that this process is storing. Their participants may have left the room meanwhile. */
const beginning = new Map<ParticipantId, Promise<void>>();

/**
 * Waits until the attendance that a participant begins is stored, for half a second at most. Who attends the running
 * call may stay in it and return to it, so an admission reads this.
 */
export async function attendanceBegun(id: ParticipantId): Promise<void> {
  const work = beginning.get(id);
  if (work) await Promise.race([work, sleep(patienceMs)]);
}

/**
 * Begins the attendance of a participant who is in the call, and otherwise notes that a page of it is open. While
 * the person's rights are looked up, it becomes due instead.
 */
export function attend(person: Person, { call }: LocalRoom, services: Attending): void {
  const { claims, name, tenant } = person.admitted;
  const { bus, log } = services;
  person.isAttendanceDue = person.lookUps > 0;
  if (!call || person.isAttendanceDue) return;
  const { id } = call;
  const work = async () => {
    if (!isInCall(person, services)) {
      if (claims.kind === 'staff') await noteOpenedCall(tenant, id);
      return;
    }
    const browserId = claims.kind === 'guest' ? claims.browserId : undefined;
    const who = { id: claims.participantId, kind: claims.kind, name, browserId };
    const startedAt = await beginAttendance(tenant, id, who);
    tellCallChange(bus, claims.orgId);
    if (startedAt) tellStarted(bus, person, { ...call, startedAt: startedAt.toISOString() });
    await startCaptures(services, person, id);
    tellWhoIsRecorded(services, claims);
  };
  const storing = work()
    .catch((error) => notStored(log, error))
    .finally(() => {
      if (beginning.get(claims.participantId) === storing) beginning.delete(claims.participantId);
    });
  person.attending = storing;
  beginning.set(claims.participantId, storing);
}

/** Starts what the room's settings start with each call, with the first person who joins. */
async function startCaptures(
  services: Attending,
  { admitted: { captures, claims } }: Person,
  callId: CallId,
): Promise<void> {
  if (captures.starting.length === 0) return;
  const { orgId, roomId } = claims;
  const { bus, database } = services;
  const means = captureMeans(services);
  const state = await startWithCall(database, orgId, { callId, roomId }, means);
  if (!state) return;
  const message = { type: 'captures' as const, callId, ...state };
  tellRoom(bus, roomId, { channel: 'meeting', message });
}

/** Informs the pages in the room that the first person has joined. */
function tellStarted(bus: LiveBus, { admitted }: Person, call: RunningCall): void {
  const message = { type: 'call-changed' as const, call: { ...call, joined: true } };
  tellRoom(bus, admitted.claims.roomId, { message });
}

/** Ends the last attendance, once its beginning is stored. */
export function attendNoMore(person: Person, { bus, log, video }: Attending): void {
  if (isElsewhere(person)) return;
  const { admitted, attending } = person;
  const { claims, tenant } = admitted;
  attending
    .then(() => endAttendance(tenant, claims.participantId))
    .then(() => {
      tellCallChange(bus, claims.orgId);
      tellWhoIsRecorded({ bus, video }, claims);
    })
    .catch((error) => notStored(log, error));
}

/** Where the pages do not record themselves, the recorder looks who is in the call. */
function tellWhoIsRecorded(
  { bus, video }: Pick<Services, 'bus' | 'video'>,
  { orgId, roomId }: MeetingClaims,
): void {
  if (video.page?.recorder ?? video.mediaServer?.recorder)
    tellRecordingChange(bus, { orgId, roomId });
}

/**
 * After the last page in a room has closed, on any process: removes a call that no one joined. If its person chose
 * to leave, a call that was joined ends.
 */
export function closeWithLastPage(
  { admitted, attending }: Person,
  call: RunningCall | null,
  services: Services,
  hasLeft: boolean,
): void {
  const { claims, tenant } = admitted;
  const { bus, database, log, video } = services;
  if (!call || video.joins !== 'page') return;
  const { id } = call;
  const system = { kind: 'system' as const, name: 'close-with-last-page', orgId: claims.orgId };
  const acting = claims.kind === 'staff' ? tenant : tenantOf(database, system, null);
  const isEmpty = async () => (await bus.presence.list(claims.roomId)).length === 0;
  const work = async () => {
    await attending;
    if (!(await isEmpty())) return;
    const closedAt = await acting.transaction(async (tx) => {
      if (await discardUnusedCall(tx, id)) return new Date();
      return hasLeft ? endLeftCall(tx, id, isEmpty) : null;
    });
    if (closedAt) tellCallEnded(bus, claims, id, closedAt);
  };
  // A person who has lost the right to do so leaves it to the clock of the calls.
  work().catch((error) => {
    if (!(error instanceof DomainError)) notStored(log, error);
  });
}

function notStored(log: Services['log'], error: unknown): void {
  log.error({ err: error }, 'an attendance could not be stored');
}
