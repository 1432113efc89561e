import { DomainError } from '#domain/errors.ts';
import type { Tenant } from '#server/platform/access.ts';
import { type Entrance, VideoEngineError, type Visit } from '#server/providers/video/port.ts';
import type { Services } from '#server/services.ts';
import { keepHostedToken } from './hosted-tokens.ts';
import { hostedTurns } from './hosted-turns.ts';
import { freshTokenSeconds, type MeetingClaims, mintMeetingToken } from './meeting-token.ts';

/**
 * Returns the URL of this person's call, and the token for it, valid for five minutes. Who gets a token of a
 * hosted page is stored first, with the token's end: a revocation after that finds them.
 * @param tenant of the request or socket that asks
 * @param beforeToken what has to be done once it is stored who is about to get a token
 * @throws DomainError 503 when the provider of the calls does not answer; those of `keepHostedToken`
 */
export async function admitVisitor(
  { video, secrets, log }: Services,
  tenant: Tenant,
  claims: MeetingClaims,
  {
    name,
    publicUrl,
    isHost,
    mustKnock,
  }: Pick<Visit, 'name' | 'publicUrl' | 'isHost' | 'mustKnock'>,
  beforeToken: () => Promise<void> = async () => undefined,
): Promise<Entrance> {
  const { kind, orgId, roomId, participantId } = claims;
  const expiresAt = new Date(Date.now() + freshTokenSeconds * 1000);
  if (video.page) await keepHostedToken(tenant, { claims, isHost, mustKnock }, expiresAt);
  await beforeToken();
  const meetingToken = await mintMeetingToken(secrets, claims);
  const visit = {
    kind,
    orgId,
    roomId,
    participantId,
    name,
    publicUrl,
    isHost,
    mustKnock,
    expiresAt,
    meetingToken,
  };
  try {
    return await video.admit(visit, hostedTurns(video, 'opening', orgId));
  } catch (error) {
    if (!(error instanceof VideoEngineError)) throw error;
    log.error({ err: error, engine: video.name }, 'the video engine let nobody in');
    throw new DomainError(
      'unavailable',
      'no_video',
      'The video service isn’t responding. Please try again in a minute.',
    );
  }
}
