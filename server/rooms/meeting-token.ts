import { jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';
import { DomainError } from '#domain/errors.ts';
import {
  accountId,
  browserId,
  callId,
  guestLinkId,
  orgId,
  participantId,
  roomId,
} from '#domain/ids.ts';
import type { Secrets } from '#server/platform/secrets.ts';

const common = { participantId, orgId, roomId };
const claims = z.discriminatedUnion('kind', [
  // The token ends with the session in which it was created.
  z.object({ kind: z.literal('staff'), ...common, accountId, sessionId: z.uuid() }),
  z.object({
    kind: z.literal('guest'),
    ...common,
    guestLinkId,
    /** The call that the guest has entered, in a token for returning to it. */
    callId: z.optional(callId),
    /** The id in the browser's cookie, if it sends one. */
    browserId: z.optional(browserId),
    /** Of a person whom the embedding product names; others enter a name themselves. */
    name: z.optional(z.string()),
  }),
]);
/**
 * The person and room of a token. A token alone grants nothing: each hello checks whether the
 * session of staff, or the link of a guest, is still valid. A guest who attends the running call
 * stays in that call when the link ends, but cannot join a later one.
 */
export type MeetingClaims = z.infer<typeof claims>;

/** How long a new token may wait for its first use. */
export const freshTokenSeconds = 5 * 60;
/**
 * How long the token of a running session lets its page resume after a lost connection: longer than
 * a call. Membership, link and room are checked again at each hello.
 */
export const resumeTokenSeconds = 12 * 60 * 60;

const audience = 'rapport-meeting';

/** Returns a JWT (RFC 7519, HS256) for one person and one room. */
export async function mintMeetingToken(
  secrets: Secrets,
  given: MeetingClaims,
  lifeSeconds = freshTokenSeconds,
): Promise<string> {
  return new SignJWT({ ...given })
    .setProtectedHeader({ alg: 'HS256' })
    .setAudience(audience)
    .setExpirationTime(Math.floor(Date.now() / 1000) + lifeSeconds)
    .sign(secrets.key('meeting-token'));
}

/** Returns the claims of a token, or null for one that is forged, expired, or for another purpose. */
export async function readMeetingToken(
  secrets: Secrets,
  token: string,
): Promise<MeetingClaims | null> {
  // Former keys are accepted, so that calls continue while the installation's secret is replaced.
  for (const { key } of secrets.keys('meeting-token')) {
    try {
      const { payload } = await jwtVerify(token, key, { audience, algorithms: ['HS256'] });
      const parsed = claims.safeParse(payload);
      return parsed.success ? parsed.data : null;
    } catch {
      // Another key may have signed it.
    }
  }
  return null;
}

/** A meeting token that is forged, has run out, or was replaced. */
export const tokenRefused = () =>
  new DomainError(
    'forbidden',
    'token_refused',
    'This link doesn’t work. It may have expired or been replaced. Ask your host for a new one.',
  );
