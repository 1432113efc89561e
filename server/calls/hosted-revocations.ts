import type { ParticipantId } from '#domain/ids.ts';
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
