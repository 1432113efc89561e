import type { ToServer } from '#domain/calls/live.ts';
import { DomainError } from '#domain/errors.ts';
import { participantId } from '#domain/ids.ts';
import { tellLobbyChange } from '#server/rooms/lobby-events.ts';
import type { Services } from '#server/services.ts';
import type { Person } from './live-person.ts';
import type { LiveSession } from './live-session.ts';
import { decideOnGuests, tellWaiting } from './lobby.ts';
import { orRefuse } from './or-refuse.ts';

type Order = Extract<ToServer, { type: 'admit' | 'refuse' | 'tell-waiting' }>;

/** What hosts may do about the guests in the lobby; what cannot be done is answered with `refused`. */
export async function hearLobbyHost(
  services: Services,
  person: Person,
  session: LiveSession,
  order: Order,
): Promise<void> {
  const { roomId } = person.admitted.claims;
  const failed = 'This could not be done just now.';
  await orRefuse({ session, log: services.log, failed }, async () => {
    if (!person.admitted.mayEdit) {
      throw new DomainError('forbidden', 'forbidden', 'Your role does not allow this.');
    }
    if (!(await carryOut(person, order))) {
      throw new DomainError('not_found', 'not_waiting', 'This guest is no longer waiting.');
    }
  });
  // Also when nothing came of it: the list that the host saw was an old one.
  tellLobbyChange(services.bus, { roomId, switched: false });
}

async function carryOut({ admitted }: Person, order: Order): Promise<boolean> {
  const { tenant, claims } = admitted;
  const named = order.type === 'admit' ? order.guests : [order.guest];
  const guests = named.flatMap((id) => participantId.safeParse(id).data ?? []);
  const [first] = guests;
  if (!first) return false;
  if (order.type === 'tell-waiting') return tellWaiting(tenant, claims.roomId, first, order.text);
  const state = order.type === 'admit' ? 'admitted' : 'refused';
  return (await decideOnGuests(tenant, claims.roomId, guests, state)).length > 0;
}
