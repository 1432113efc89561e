import { closeCodes, tryAgainLater } from '#domain/calls/close-codes.ts';
import type { ParticipantId } from '#domain/ids.ts';
import { FairQueue } from '#server/platform/fair-queue.ts';
import type { Revocation } from '#server/platform/revocations.ts';
import {
  findHostedTokens,
  type HostedToken,
  type HostedTokenHolders,
} from '#server/rooms/hosted-tokens.ts';
import type { Services } from '#server/services.ts';
import { admitByClaims, NotAdmitted } from './admit-participant.ts';
import { concerns } from './follow-revocations.ts';
import { sendOut } from './hosted-removal.ts';

/** As for look-ups of people with a page of ours (follow-revocations.ts). */
const lookUps = new FairQueue({ atOnce: 3, perKey: 1, mostWaiting: Number.POSITIVE_INFINITY });

/**
 * Looks up the holders of a hosted page's tokens again whenever one of their authorities has ended,
 * whether or not they have a page of ours, and ejects those who lost what their token grants. Of one
 * authority, one look-up waits at most: it also reads what a later revocation has ended.
 * @returns a function that stops it
 */
export function followHostedRevocations(services: Services): () => void {
  if (!services.video.page) return () => undefined;
  const waiting = new Set<string>();
  return services.revocations.subscribe((revocation) => {
    const key = JSON.stringify(revocation);
    if (waiting.has(key)) return;
    waiting.add(key);
    const lookUp = () => {
      waiting.delete(key);
      return lookUpAll(services, revocation);
    };
    lookUps
      .run(turnOf(revocation), lookUp)
      .catch((error) =>
        services.log.error({ err: error }, 'hosted participants were not looked up'),
      );
  });
}

/** With whom a look-up takes turns. */
const turnOf = (revocation: Revocation): string =>
  'orgId' in revocation ? revocation.orgId : JSON.stringify(revocation);

async function lookUpAll(services: Services, revocation: Revocation): Promise<void> {
  const found = await findHostedTokens(services.database, holdersOf(revocation));
  const tokens = found.filter(({ claims }) => concerns(revocation, claims));
  const byRoom = Map.groupBy(tokens, ({ claims }) => claims.roomId);
  for (const inRoom of byRoom.values()) await ejectFrom(services, inRoom);
}

/** Ejects the holders in one room who lost rights: one request for the banned, one for those who may return. */
async function ejectFrom(services: Services, tokens: HostedToken[]): Promise<void> {
  const ids: Record<Verdict, ParticipantId[]> = { stays: [], returns: [], banned: [] };
  // What a session may do in a room does not depend on its token.
  const same = Map.groupBy(tokens, ({ claims, ...grants }) =>
    JSON.stringify([claims.kind === 'staff' ? claims.sessionId : claims.participantId, grants]),
  );
  for (const [first, ...others] of same.values()) {
    if (!first) continue;
    const verdict = await judge(services, first);
    ids[verdict].push(...[first, ...others].map(({ claims }) => claims.participantId));
  }
  const [room] = tokens;
  if (!room) return;
  sendOut(services, room.claims, ids.banned, true);
  sendOut(services, room.claims, ids.returns, false);
}

function holdersOf(revocation: Revocation): HostedTokenHolders {
  if ('roomId' in revocation) return { roomId: revocation.roomId };
  const { kind: _, ...holders } = revocation;
  return holders;
}

/**
 * Ejects someone from the hosted page whose token grants more than they may do now. Who is no longer admitted
 * is banned. Who has fewer rights, or met a locked call, may return with a new token.
 * @returns whether they are ejected
 */
export async function ejectWithoutRights(services: Services, token: HostedToken): Promise<boolean> {
  const verdict = await judge(services, token);
  if (verdict === 'stays') return false;
  const { claims } = token;
  sendOut(services, claims, [claims.participantId], verdict === 'banned');
  return true;
}

type Verdict = 'stays' | 'returns' | 'banned';

/** Refusals that may be over before the next attempt. */
const passing = new Set<number>([closeCodes.locked, closeCodes.roomClosed, tryAgainLater]);

async function judge(
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
