import { closeCodes, tryAgainLater } from '#domain/calls/close-codes.ts';
import { protocolVersion } from '#domain/calls/live-limits.ts';
import { DomainError, notFound } from '#domain/errors.ts';
import { admitToHostedCall } from '#domain/hosted-calls/contract.ts';
import { answer, publicRoute, type Site } from '#server/http/route.ts';
import { publicUrl } from '#server/platform/public-url.ts';
import { admitVisitor } from '#server/rooms/admit-visitor.ts';
import { roomClosedNow } from '#server/rooms/invite-guest.ts';
import { tokenRefused } from '#server/rooms/meeting-token.ts';
import { type Admitted, admitParticipant, NotAdmitted } from './admit-participant.ts';
import { consentBeforeJoining } from './consent-before-joining.ts';
import type { HostedRecordings } from './hosted-recordings.ts';
import { takeLimitedLink } from './use-link.ts';

/**
 * Admits the holder of a meeting token to a hosted page. Link, lock and removal are checked at this
 * moment, and the name is known. A participant who returns after a failure gets a new token here.
 */
export function hostedAdmissionRoute(
  site: Site,
  requireUnrecorded: HostedRecordings['requireUnrecorded'],
): void {
  publicRoute(site, admitToHostedCall, async ({ body, request }) => {
    if (!site.video.page) throw notFound();
    const admitted = await admit(site, body, request.ip);
    const { tenant, claims } = admitted;
    const consent = await consentBeforeJoining(site, admitted, body.consent);
    const { asked, agreed } = consent;
    const hasDeclined = asked.includes('recording') && !agreed.includes('recording');
    const visit = {
      name: admitted.name,
      publicUrl: publicUrl(site.config, request),
      isHost: claims.kind === 'staff' && admitted.mayEdit,
      mustKnock: claims.kind === 'guest' && admitted.hasLobby,
    };
    const { dailyUrl, meetingToken } = await admitVisitor(site, tenant, claims, visit, async () => {
      if (hasDeclined) await requireUnrecorded(site, tenant, claims);
    });
    // A revocation before the token was stored did not find it.
    await admit(site, body, request.ip);
    return answer(201, { dailyUrl, meetingToken });
  });
}

async function admit(
  site: Site,
  { token, name }: { token: string; name: string },
  address: string,
): Promise<Admitted> {
  const hello = {
    type: 'hello',
    protocol: protocolVersion,
    channel: 'meeting',
    token,
    name,
  } as const;
  try {
    const admitted = await admitParticipant(site, hello, address);
    await takeLimitedLink(admitted);
    return admitted;
  } catch (error) {
    if (!(error instanceof NotAdmitted)) throw error;
    throw refusals.get(error.closeCode)?.() ?? tokenRefused();
  }
}

const refusals = new Map<number, () => DomainError>([
  [
    closeCodes.removed,
    () => new DomainError('forbidden', 'removed', 'You were removed from this call.'),
  ],
  [
    closeCodes.locked,
    () =>
      new DomainError(
        'forbidden',
        'call_locked',
        'Your host isn’t admitting anyone new right now. Try again in a moment.',
      ),
  ],
  [
    closeCodes.roomClosed,
    () => new DomainError('conflict', roomClosedNow, 'This room is closed right now.'),
  ],
  [
    tryAgainLater,
    () =>
      new DomainError(
        'unavailable',
        'room_busy',
        'Guests can’t join this room right now. Please try again in a minute.',
        { retryAfterSeconds: 60 },
      ),
  ],
  [
    closeCodes.roomGone,
    () => new DomainError('forbidden', 'room_gone', 'This room no longer exists.'),
  ],
]);
