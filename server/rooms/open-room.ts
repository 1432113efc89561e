import type { User } from '#domain/auth/contract.ts';
import { roleMay } from '#domain/auth/permissions.ts';
import { participantId, type RoomId } from '#domain/ids.ts';
import type { OpenedRoom } from '#domain/rooms/contract.ts';
import type { Tenant } from '#server/platform/access.ts';
import { newId } from '#server/platform/ids.ts';
import type { Services } from '#server/services.ts';
import { admitVisitor } from './admit-visitor.ts';
import { roomArchived, roomIsSample } from './refused-rooms.ts';
import { findRoomWithChecklist } from './store.ts';

/**
 * Returns a room with the data to join its call: the URL, and a token for this person that is valid
 * for five minutes and ends with the session.
 * @throws DomainError 404, 409 when it is archived or a sample, 503
 */
export async function openRoom(
  services: Services,
  tenant: Tenant,
  { user, session }: { user: User; session: { id: string } },
  id: RoomId,
  publicUrl: string,
): Promise<OpenedRoom> {
  const { room, checklistItems } = await findRoomWithChecklist(tenant, id);
  if (room.status === 'archived') throw roomArchived();
  if (room.sample) throw roomIsSample();
  const claims = {
    kind: 'staff' as const,
    participantId: newId(participantId),
    orgId: tenant.orgId,
    roomId: id,
    accountId: user.id,
    sessionId: session.id,
  };
  const name = `${user.firstName} ${user.lastName}`.trim();
  const isHost = user.role !== null && roleMay(user.role, 'calls.update');
  const entrance = await admitVisitor(services, tenant, claims, {
    name,
    publicUrl,
    isHost,
    mustKnock: false,
  });
  return {
    ...room,
    playbook: room.playbook ? { ...room.playbook, checklistItems } : null,
    ...entrance,
  };
}
