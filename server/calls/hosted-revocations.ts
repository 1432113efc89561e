import type { OrgId, ParticipantId, RoomId } from '#domain/ids.ts';
import { tenantOf } from '#server/platform/access.ts';
import { FairQueue } from '#server/platform/fair-queue.ts';
import { findHostedTokens, holdersAtOnce } from '#server/rooms/hosted-holders.ts';
import type { HostedToken } from '#server/rooms/hosted-tokens.ts';
import type { Services } from '#server/services.ts';
import { HostedLookUps } from './hosted-look-ups.ts';
import { sendOut } from './hosted-removal.ts';
import { judge, type Verdict } from './hosted-verdicts.ts';

/**
 * Looks up the holders of a hosted page's tokens again whenever one of their authorities has ended,
 * whether or not they have a page of ours, and ejects those who lost what their token grants.
 * @returns a function that stops it
 */
export function followHostedRevocations(services: Services): () => void {
  if (!services.video.page) return () => undefined;
  const lookUps = new HostedLookUps(services, async (tokens) => {
    const byRoom = Map.groupBy(tokens, ({ claims }) => claims.roomId);
    for (const inRoom of byRoom.values()) await ejectFrom(services, inRoom);
  });
  return services.revocations.subscribe((revocation) => {
    const { kind } = revocation;
    if (kind !== 'capture' && kind !== 'removal') lookUps.add(revocation);
  });
}

const starts = new FairQueue({ atOnce: 2, perKey: 1, mostWaiting: Number.POSITIVE_INFINITY });

/**
 * Looks up the holders in a room whose call starts: guests may have come to the provider before, and their rights may
 * have ended by time, of which no revocation tells. Who is refused for now only, such as by a busy database, stays. In
 * the background; organizations take turns.
 */
export function lookUpAtStart(services: Services, orgId: OrgId, roomId: RoomId): void {
  if (!services.video.page) return;
  const actor = { kind: 'system' as const, name: 'hosted-start', orgId };
  const tenant = tenantOf(services.database, actor, null);
  const failed = (err: unknown) =>
    services.log.error({ err }, 'hosted participants were not looked up');
  const lookUp = async () => {
    for (let after: ParticipantId | null = null; ; ) {
      const page: HostedToken[] = await findHostedTokens(tenant, { roomId }, after);
      await ejectFrom(services, page, ['banned']).catch(failed);
      if (page.length < holdersAtOnce) return;
      after = page.at(-1)?.claims.participantId ?? null;
    }
  };
  starts.run(orgId, lookUp).catch(failed);
}

/** Ejects the holders in one room who lost rights: one request for the banned, one for those who may return. */
async function ejectFrom(
  services: Services,
  tokens: HostedToken[],
  ejected: readonly Exclude<Verdict, 'stays'>[] = ['banned', 'returns'],
): Promise<void> {
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
  for (const verdict of ejected) sendOut(services, room.claims, ids[verdict], verdict === 'banned');
}
