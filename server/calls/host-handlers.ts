import { closeCodes } from '#domain/calls/close-codes.ts';
import { DomainError } from '#domain/errors.ts';
import { participantId } from '#domain/ids.ts';
import { tellLobbyChange } from '#server/rooms/lobby-events.ts';
import { lockCall, removeGuest } from './host-call.ts';
import { sendOut } from './hosted-removal.ts';
import type { MessageHandlers, MessageOf, SenderInCall } from './message-handler.ts';
import { tellRoom } from './room-events.ts';

const asHost = {
  channel: 'meeting',
  mayEdit: true,
  failed: 'We couldn’t do this right now.',
  withoutCall: 'No call is in progress in this room.',
} as const;

/** Messages by which hosts control the call and its participants. */
export const hostHandlers = {
  mute: {
    ...asHost,
    handle: ({ services, person: { admitted, participant } }, { to }) =>
      tellRoom(services.bus, admitted.claims.roomId, {
        to,
        channel: 'meeting',
        message: { type: 'muted', by: participant.name },
      }),
  },
  lock: {
    ...asHost,
    publishes: () => ({ message: { type: 'call-changed' } }),
    handle: setLock,
  },
  remove: { ...asHost, handle: removeParticipant },
} satisfies MessageHandlers<'mute' | 'lock' | 'remove'>;

async function setLock(
  { services, person: { admitted }, session, call }: SenderInCall,
  { locked }: MessageOf<'lock'>,
): Promise<void> {
  const message = { type: 'call-changed' as const, call: { ...call, locked } };
  const hasChanged = await lockCall(admitted.tenant, call.id, locked);
  if (hasChanged) tellRoom(services.bus, admitted.claims.roomId, { message });
  // This page acted on an outdated state.
  else session.send(message);
}

async function removeParticipant(
  { services, person: { admitted }, call }: SenderInCall,
  { to }: MessageOf<'remove'>,
): Promise<void> {
  const { bus } = services;
  const { claims, tenant } = admitted;
  const present = await bus.presence.list(claims.roomId);
  const guest = participantId.safeParse(to);
  const isThere = present.some(({ id, kind }) => id === to && kind === 'guest');
  if (!guest.success || !isThere) {
    throw new DomainError('not_found', 'no_guest', 'This guest isn’t in the call.');
  }
  await removeGuest(tenant, call.id, guest.data);
  sendOut(services, claims, [guest.data], true);
  const close = { code: closeCodes.removed, reason: 'removed' };
  tellRoom(bus, claims.roomId, { to, close });
  // The link alone no longer admits new guests, so those in the preview must ask as well.
  tellLobbyChange(bus, { orgId: claims.orgId, roomId: claims.roomId });
}
