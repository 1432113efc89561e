import { type Role, roleMay } from '#domain/auth/permissions.ts';
import { closeCodes } from '#domain/calls/live.ts';
import type { LiveBus } from '#server/platform/live-bus.ts';
import { listenToMembers } from '#server/team/member-events.ts';
import type { Person } from './live-person.ts';
import type { LiveRooms } from './live-rooms.ts';

/** Not an error for the page: it says hello again, and is greeted with what it may do from now on. */
const sayHelloAgain = 1012;

/** Roles act at once, on open lines too (attacks.md 14). @returns how to stop */
export function followMembers(bus: LiveBus, rooms: LiveRooms): () => void {
  return listenToMembers(bus, ({ orgId, accountId, role }) => {
    for (const person of rooms.everybody()) {
      const { claims } = person.admitted;
      if (claims.kind !== 'staff' || claims.orgId !== orgId || claims.accountId !== accountId) {
        continue;
      }
      if (role === null) rooms.expel(person, closeCodes.removed, 'removed');
      else changeRole(person, role);
    }
  });
}

function changeRole(person: Person, role: Role): void {
  // What is on its way already is judged by the new role.
  person.admitted.mayEdit = roleMay(role, 'calls.update');
  for (const { socket } of person.sessions.values()) socket?.close(sayHelloAgain, 'role changed');
}
