import { closeCodes, tryAgainLater } from '#domain/calls/close-codes.ts';
import { tenantOf } from '#server/platform/access.ts';
import type { Revocation } from '#server/platform/revocations.ts';
import {
  findHostedTokens,
  forgetHostedToken,
  type HostedToken,
  type HostedTokenHolders,
} from '#server/rooms/hosted-tokens.ts';
import type { Services } from '#server/services.ts';
import { admitByClaims, NotAdmitted } from './admit-participant.ts';
import { concerns } from './follow-revocations.ts';
import { sendOut } from './hosted-removal.ts';

/**
 * Looks up the holders of a hosted page's tokens again whenever one of their authorities has ended,
 * whether or not they have a socket of ours, and ejects those who lost what their token grants.
 * @returns a function that stops it
 */
export function followHostedRevocations(services: Services): () => void {
  if (!services.video.page) return () => undefined;
  return services.revocations.subscribe((revocation) => {
    lookUpAll(services, revocation).catch((error) =>
      services.log.error({ err: error }, 'hosted participants were not looked up'),
    );
  });
}

async function lookUpAll(services: Services, revocation: Revocation): Promise<void> {
  const tokens = await findHostedTokens(services.database, holdersOf(revocation));
  for (const token of tokens.filter(({ claims }) => concerns(revocation, claims)))
    await ejectWithoutRights(services, token);
}

function holdersOf(revocation: Revocation): HostedTokenHolders {
  switch (revocation.kind) {
    case 'missed':
      return {};
    case 'session':
      return { sessionId: revocation.sessionId };
    case 'guest-link':
      return { guestLinkId: revocation.guestLinkId };
    default:
      return { orgId: revocation.orgId };
  }
}

/**
 * Ejects someone from the hosted page whose token grants more than they may do now. Who is no longer admitted
 * is banned. Who has fewer rights, or met a locked call, may return with a new token.
 * @returns whether they are ejected
 */
export async function ejectWithoutRights(
  services: Services,
  { claims, isHost, mustKnock }: HostedToken,
): Promise<boolean> {
  const verdict = await judge(services, { claims, isHost, mustKnock });
  if (verdict === 'stays') return false;
  const { orgId, participantId } = claims;
  const actor = { kind: 'system' as const, name: 'hosted-revocations', orgId };
  sendOut(services, claims, [participantId], verdict === 'banned');
  if (verdict === 'banned')
    await forgetHostedToken(tenantOf(services.database, actor, null), participantId);
  return true;
}

/** Refusals that may be over before the next attempt. */
const passing = new Set<number>([closeCodes.locked, closeCodes.roomClosed, tryAgainLater]);

async function judge(
  services: Services,
  { claims, isHost, mustKnock }: HostedToken,
): Promise<'stays' | 'returns' | 'banned'> {
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
