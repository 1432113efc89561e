import { closeCodes, tryAgainLater } from '#domain/calls/close-codes.ts';
import type { ParticipantId } from '#domain/ids.ts';
import type { Tenant } from '#server/platform/access.ts';
import type { HostedRoom } from '#server/providers/video/hosted-room.ts';
import { findHostedToken, type HostedToken } from '#server/rooms/hosted-tokens.ts';
import type { Services } from '#server/services.ts';
import { admitByClaims, NotAdmitted } from './admit-participant.ts';
import { sendOut } from './hosted-removal.ts';

/** Whether the holder of a token stays at the provider, may return with another one, or may not. */
export type Verdict = 'stays' | 'returns' | 'banned';

/** Refusals that may be over before the next attempt. */
const passing = new Set<number>([
  closeCodes.callEnded,
  closeCodes.locked,
  closeCodes.roomClosed,
  tryAgainLater,
]);

/**
 * Looks up whether a token grants more than its holder may do now. Who is no longer admitted is banned. Who has
 * fewer rights, or met a locked call, may return with a new token.
 */
export async function judge(
  services: Services,
  { claims, isHost, mustKnock }: HostedToken,
): Promise<Verdict> {
  try {
    const admitted = await admitByClaims(services, claims, undefined, null, true);
    const shouldKnock = claims.kind === 'guest' && admitted.hasLobby && !admitted.isKnown;
    const grantsTooMuch = (isHost && !admitted.mayEdit) || (shouldKnock && !mustKnock);
    return grantsTooMuch ? 'returns' : 'stays';
  } catch (error) {
    if (!(error instanceof NotAdmitted)) throw error;
    return passing.has(error.closeCode) ? 'returns' : 'banned';
  }
}

/**
 * Ejects someone who arrives at the provider without the right to be there: whose token grants more than they
 * may do now, or of whose token nothing is known, so that no revocation would find them. Rooms of another
 * installation are left alone.
 * @returns whether they are ejected
 */
export async function ejectWithoutRights(
  services: Services,
  tenant: Tenant,
  room: HostedRoom,
  person: ParticipantId,
): Promise<boolean> {
  const token = await findHostedToken(tenant, room.roomId, person);
  if (token === undefined) return false;
  const verdict = token ? await judge(services, token) : 'returns';
  if (verdict === 'stays') return false;
  sendOut(services, room, [person], verdict === 'banned');
  return true;
}
