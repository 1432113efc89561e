import type { ParticipantId } from '#domain/ids.ts';
import { FairQueue } from '#server/platform/fair-queue.ts';
import type { Revocation } from '#server/platform/revocations.ts';
import {
  findHostedTokens,
  type HostedToken,
  type HostedTokenHolders,
} from '#server/rooms/hosted-tokens.ts';
import type { Services } from '#server/services.ts';
import { concerns } from './follow-revocations.ts';
import { sendOut } from './hosted-removal.ts';
import { judge, type Verdict } from './hosted-verdicts.ts';

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
