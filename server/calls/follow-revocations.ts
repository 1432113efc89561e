import { setTimeout as sleep } from 'node:timers/promises';
import { FairQueue } from '#server/platform/fair-queue.ts';
import type { Revocation } from '#server/platform/revocations.ts';
import type { MeetingClaims } from '#server/rooms/meeting-token.ts';
import type { Services } from '#server/services.ts';
import { admitByClaims, NotAdmitted } from './admit-participant.ts';
import type { LiveLobby } from './live-lobby.ts';
import type { Person } from './live-person.ts';
import type { LiveRooms } from './live-rooms.ts';

/** Keeps a revocation's delay below a second. */
const patienceMs = 500;
/** Not an error for the page: it sends hello again, and its rights are read then. */
const sayHelloAgain = 1012;
/**
 * Looking up takes no part of an organization's connections, which its own work may have used up: few at
 * a time, and of each organization one of its staff and one of its guests.
 */
const lookUps = new FairQueue({
  atOnce: 3,
  perKey: 1,
  mostWaiting: Number.POSITIVE_INFINITY,
});

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
    const concerned = rooms
      .everybody()
      .filter(({ admitted }) => concerns(revocation, admitted.claims));
    for (const person of concerned) void readmit(services, live, person);
    lobby.lookAgainAt((claims) => concerns(revocation, claims));
  });
}

function concerns(revocation: Revocation, claims: MeetingClaims): boolean {
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
    case 'guest-link':
      return claims.kind === 'guest' && claims.guestLinkId === revocation.guestLinkId;
  }
}

/** Lets go of a person who would not be admitted now. A change of rights counts from this moment. */
export async function readmit(
  services: Services,
  { rooms, lobby }: Live,
  person: Person,
): Promise<void> {
  const { claims, tenant, name } = person.admitted;
  // Participants who attend the running call may stay in it, so an attendance in progress must be
  // stored before the query. If it is delayed by other work of theirs, it is not awaited.
  if (claims.kind === 'guest') await Promise.race([person.attending, sleep(patienceMs)]);
  try {
    const admitted = await lookUps.run(`${claims.orgId} ${claims.kind}`, () =>
      admitByClaims(services, claims, name, tenant.address, true),
    );
    const couldEdit = person.admitted.mayEdit;
    // Messages already received are authorized by the new role.
    person.admitted = { ...admitted, name };
    if (admitted.mayEdit === couldEdit) return;
    const rights = { type: 'rights' as const, mayEdit: admitted.mayEdit };
    for (const session of person.sessions.values()) session.send(rights);
    lobby.greet(person);
  } catch (error) {
    if (error instanceof NotAdmitted) {
      rooms.revoke(person, error.closeCode, error.message);
      return;
    }
    // The next hello reads the rights before any other message is handled.
    services.log.error({ err: error }, 'a person could not be looked up after a revocation');
    rooms.expel(person, sayHelloAgain, 'look-up failed');
  }
}
