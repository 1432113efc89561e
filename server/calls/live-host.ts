import { closeCodes, type ToServer } from '#domain/calls/live.ts';
import { DomainError } from '#domain/errors.ts';
import { participantId } from '#domain/ids.ts';
import { tellLobbyChange } from '#server/rooms/lobby-events.ts';
import type { Services } from '#server/services.ts';
import type { Admitted } from './admit-participant.ts';
import { sendOut } from './company-removal.ts';
import { lockCall, removeGuest } from './host-call.ts';
import type { Person } from './live-person.ts';
import type { LiveSession } from './live-session.ts';
import { orRefuse } from './or-refuse.ts';
import { tellRoom } from './room-events.ts';

type Call = NonNullable<Admitted['call']>;
type Order = Extract<ToServer, { type: 'mute' | 'remove' | 'lock' }>;

/** What those who run the call may do to it; what cannot be done is answered with `refused`. */
export async function hearHost(
  services: Services,
  person: Person,
  session: LiveSession,
  call: Call | null,
  order: Order,
): Promise<void> {
  const failed = 'This could not be done just now.';
  await orRefuse({ session, log: services.log, failed }, async () => {
    if (!person.admitted.mayEdit) {
      throw new DomainError('forbidden', 'forbidden', 'Your role does not allow this.');
    }
    if (!call) throw new DomainError('conflict', 'no_call', 'No call is in progress in this room.');
    if (order.type === 'mute') mute(services, person, order.to);
    else if (order.type === 'lock') await lock(services, person, call, order.locked);
    else await remove(services, person, call, order.to);
  });
}

function mute({ bus }: Services, { admitted, participant }: Person, to: string): void {
  tellRoom(bus, admitted.claims.roomId, {
    to,
    channel: 'meeting',
    message: { type: 'muted', by: participant.name },
  });
}

async function lock(
  { bus }: Services,
  { admitted }: Person,
  call: Call,
  locked: boolean,
): Promise<void> {
  await lockCall(admitted.tenant, call.id, locked);
  tellRoom(bus, admitted.claims.roomId, {
    message: { type: 'call-changed', call: { ...call, locked } },
  });
}

async function remove(
  services: Services,
  { admitted, participant }: Person,
  call: Call,
  to: string,
): Promise<void> {
  const { bus } = services;
  const others = await bus.presence.put(admitted.claims.roomId, participant);
  const guest = participantId.safeParse(to);
  const isThere = others.some(({ id, kind }) => id === to && kind === 'guest');
  if (!guest.success || !isThere) {
    throw new DomainError('not_found', 'no_guest', 'This guest is not in the call.');
  }
  await removeGuest(admitted.tenant, call.id, guest.data);
  sendOut(services, admitted.claims, [guest.data], true);
  const close = { code: closeCodes.removed, reason: 'removed' };
  tellRoom(bus, admitted.claims.roomId, { to, close });
  // From now on the link alone lets nobody new into this call: who is in the preview asks as well.
  tellLobbyChange(bus, { roomId: admitted.claims.roomId, switched: true });
}
