import { closeCodes, sayHelloAgain } from '#domain/calls/close-codes.ts';
import type { AccountId } from '#domain/ids.ts';
import type { Statement } from '#server/platform/database.ts';
import { FairQueue } from '#server/platform/fair-queue.ts';
import type { Revocation } from '#server/platform/revocations.ts';
import type { MeetingClaims } from '#server/rooms/meeting-token.ts';
import type { Services } from '#server/services.ts';
import { type Admitted, admitByClaims, NotAdmitted } from './admit-participant.ts';
import { endMediaOfGone } from './end-media-of-gone.ts';
import { attendanceBegun } from './live-attendance.ts';
import type { LiveLobby } from './live-lobby.ts';
import { isConnected, type Person } from './live-person.ts';
import type { LiveRooms } from './live-rooms.ts';

/**
 * Looking up takes no part of an organization's connections, which its own work may have used up: few at
 * a time, one for each account and one for the guests of each organization. No account's pages delay those
 * of another.
 */
const lookUps = new FairQueue({
  atOnce: 3,
  perKey: 1,
  mostWaiting: Number.POSITIVE_INFINITY,
});

/** Look-ups of participants that have not begun. Each also reads what a later revocation has ended. */
const waiting = new WeakMap<Person, Promise<void>>();

interface Live {
  rooms: LiveRooms;
  lobby: LiveLobby;
}

/**
 * Reads the rights of this process's participants again whenever one of their authorities has
 * ended, and removes those who are no longer admitted. Returns a function that stops it.
 */
export function followRevocations(services: Services, live: Live): () => void {
  const { rooms, lobby } = live;
  return services.revocations.subscribe((revocation) => {
    const [here, gone] = parted(concernedBy(revocation, rooms), isConnected);
    for (const person of here) void readmit(services, live, person);
    const hadMedia = gone.filter(({ participant }) => participant.inMeeting);
    // The next hello of a page that is gone reads its rights. Its media do not wait for one.
    for (const person of gone) rooms.expel(person, sayHelloAgain, 'rights changed');
    endMediaOfGone(services, rooms, hadMedia);
    // Guests outside of the meeting learn of changes of their room at a bounded rate (live-lobby.ts).
    if (!isOfRoom(revocation))
      lobby.lookAgainAt((admitted) => concernsAdmitted(revocation, admitted));
  });
}

const parted = (people: Person[], is: (person: Person) => boolean) =>
  [people.filter(is), people.filter((person) => !is(person))] as const;

// As in the admission. Sessions that were deleted are heard of by themselves.
const expired: Statement = {
  name: 'expired_sessions_of_people',
  text: `select id from sessions where id = any ($1::uuid[])
    and (expires_at <= now() or last_seen_at <= now() - interval '7 days')`,
};

/** Returns those of the sessions that have expired. */
export async function expiredSessions(
  { database }: Pick<Services, 'database'>,
  sessions: string[],
): Promise<string[]> {
  const found = await database.connection('outside', ({ run }) =>
    run<{ id: string }>(expired, [sessions]),
  );
  return found.map(({ id }) => id);
}

/** Returns the key whose look-ups run one at a time: an account, or the guests of an organization. */
export const lookUpKeyOf = (claims: MeetingClaims): string =>
  claims.kind === 'staff' ? `${claims.orgId} ${claims.accountId}` : claims.orgId;

const endedTokens: Statement = {
  name: 'ended_tokens_of_people',
  text: 'select id from ended_api_tokens($1) id',
};

async function tokensThatEnded({ database }: Services, people: Person[]): Promise<string[]> {
  const tokens = new Set(people.map(({ admitted }) => admitted.admittedByToken));
  const found = await database.connection('outside', ({ run }) =>
    run<{ id: string }>(endedTokens, [[...tokens]]),
  );
  return found.map(({ id }) => id);
}

/**
 * Looks up the people whose session, or whose token of an organization, has expired, of which no revocation tells. Call
 * it every few seconds.
 */
export async function endExpired(services: Services, live: Live): Promise<void> {
  const everybody = live.rooms.everybody();
  const byToken = everybody.filter(({ admitted }) => admitted.admittedByToken !== null);
  const people = Map.groupBy(everybody, ({ admitted: { claims, admittedByToken } }) =>
    claims.kind === 'staff' ? claims.sessionId : admittedByToken,
  );
  const sessions = new Set(
    everybody.flatMap(({ admitted: { claims } }) =>
      claims.kind === 'staff' ? [claims.sessionId] : [],
    ),
  );
  const found = [
    ...(sessions.size > 0 ? await expiredSessions(services, [...sessions]) : []),
    ...(byToken.length > 0 ? await tokensThatEnded(services, byToken) : []),
  ];
  const concerned = found.flatMap((id) => people.get(id) ?? []);
  await Promise.all(concerned.map((person) => readmit(services, live, person)));
}

function concernedBy(revocation: Revocation, rooms: LiveRooms): Person[] {
  return rooms
    .everybody(isOfRoom(revocation) ? revocation.roomId : undefined)
    .filter(
      ({ admitted }) =>
        concernsAdmitted(revocation, admitted) ||
        isAdmitter(revocation, admitted.claims, admitted.admittedBy),
    );
}

const isOfRoom = (revocation: Revocation) =>
  revocation.kind === 'lobby' || revocation.kind === 'room';

/** Whether the revocation is of the member who admitted this guest. */
const isAdmitter = (
  revocation: Revocation,
  { orgId }: MeetingClaims,
  admittedBy: AccountId | null,
): boolean =>
  revocation.kind === 'member' && revocation.orgId === orgId && revocation.accountId === admittedBy;

const concernsAdmitted = (
  revocation: Revocation,
  { claims, admittedByToken }: Admitted,
): boolean =>
  revocation.kind === 'api-token'
    ? revocation.tokenId === admittedByToken
    : concerns(revocation, claims);

/** Whether the authority that has ended is one of those that these claims rest on. */
export function concerns(revocation: Revocation, claims: MeetingClaims): boolean {
  switch (revocation.kind) {
    case 'missed':
      return true;
    case 'session':
      return claims.kind === 'staff' && claims.sessionId === revocation.sessionId;
    case 'member':
      return (
        claims.kind === 'staff' &&
        claims.orgId === revocation.orgId &&
        claims.accountId === revocation.accountId
      );
    case 'organization':
      return claims.kind === 'staff' && claims.orgId === revocation.orgId;
    case 'guests':
    // The claims do not say whom the token admitted.
    case 'api-token':
      return claims.kind === 'guest' && claims.orgId === revocation.orgId;
    case 'guest-link':
      return claims.kind === 'guest' && claims.guestLinkId === revocation.guestLinkId;
    case 'lobby':
      return claims.kind === 'guest' && claims.roomId === revocation.roomId;
    // Ends a capture, and not what the participant may do in the room.
    case 'capture':
      return false;
    case 'room':
      return claims.roomId === revocation.roomId;
    case 'removal':
      return claims.kind === 'guest' && claims.participantId === revocation.participantId;
  }
}

/**
 * Lets go of a person who would not be admitted now, and of all whose rights have ended with theirs. A guest
 * who would wait in the lobby now goes back to it. A change of rights counts from this moment: a call that
 * starts during the look-up is attended after it. One look-up of a person waits at most: it is shared by all
 * who ask before it begins, and a revocation after that has one more follow.
 */
export async function readmit(services: Services, live: Live, person: Person): Promise<void> {
  person.lookUps += 1;
  try {
    await lookUpOnce(services, live, person);
  } finally {
    live.rooms.lookedUp(person);
  }
}

async function lookUpOnce(services: Services, live: Live, person: Person): Promise<void> {
  // Participants who attend the running call may stay in it, so an attendance in progress must be
  // stored before the query.
  const { kind, participantId } = person.admitted.claims;
  if (kind === 'guest') await attendanceBegun(participantId);
  const found = waiting.get(person);
  if (found) return found;
  // Begins after it is known to wait.
  const lookUp = Promise.resolve().then(() => lookUpAgain(services, live, person));
  waiting.set(person, lookUp);
  return lookUp;
}

/** Reads the rights of a person in turn, and applies them. */
async function lookUpAgain(
  services: Services,
  { rooms, lobby }: Live,
  person: Person,
): Promise<void> {
  const { claims } = person.admitted;
  try {
    const admitted = await lookUps.run(lookUpKeyOf(claims), async () => {
      waiting.delete(person);
      if (!rooms.has(person)) return null;
      // A hello may have changed it during the wait.
      const { claims, tenant, name } = person.admitted;
      return { ...(await admitByClaims(services, claims, name, tenant.address, true)), name };
    });
    if (!admitted) return;
    if (admitted.isHeld) {
      rooms.revoke(person, sayHelloAgain, 'back to the lobby');
      return;
    }
    const couldEdit = person.admitted.mayEdit;
    // Messages already received are authorized by the new role.
    person.admitted = admitted;
    if (admitted.mayEdit === couldEdit) return;
    const rights = { type: 'rights' as const, mayEdit: admitted.mayEdit };
    for (const session of person.sessions.values()) session.send(rights);
    lobby.greet(person);
  } catch (error) {
    if (error instanceof NotAdmitted) {
      for (const each of endedWith(error, person, rooms)) {
        rooms.revoke(each, error.closeCode, error.message);
      }
      return;
    }
    // The next hello reads the rights before any other message is handled.
    services.log.error({ err: error }, 'a person could not be looked up after a revocation');
    const hadMedia = person.participant.inMeeting;
    rooms.expel(person, sayHelloAgain, 'look-up failed');
    if (hadMedia) rooms.endMedia(person);
  }
}

/** Returns all participants whose rights ended for the same reason: a session's, or a member's. */
function endedWith({ closeCode }: NotAdmitted, person: Person, rooms: LiveRooms): Person[] {
  const { claims } = person.admitted;
  if (claims.kind !== 'staff') return [person];
  return rooms.everybody().filter((other) => {
    const { claims: its } = other.admitted;
    if (other === person) return true;
    if (its.kind !== 'staff' || its.orgId !== claims.orgId) return false;
    if (closeCode === closeCodes.removed) return its.accountId === claims.accountId;
    return closeCode === closeCodes.tokenRefused && its.sessionId === claims.sessionId;
  });
}
