import { recordedHow } from '#server/consent/capture-means.ts';
import { continueConsent } from '#server/consent/continue-consent.ts';
import type { Services } from '#server/services.ts';
import type { Admitted } from './admit-participant.ts';

/** A member who reloads the page is a new participant, and is not asked again whether they may be captured. */
export async function continueOwnConsent(
  { call, captures, claims, tenant }: Admitted,
  services: Pick<Services, 'video'>,
): Promise<void> {
  if (claims.kind !== 'staff' || call === null || captures.consent !== null) return;
  if (captures.state === null && captures.starting.length === 0) return;
  const { accountId: account, participantId } = claims;
  const how = recordedHow(services);
  captures.consent = await continueConsent(tenant, {
    callId: call.id,
    account,
    participantId,
    how,
  });
}
