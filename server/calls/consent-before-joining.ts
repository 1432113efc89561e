import type { ConsentState } from '#domain/consent/live.ts';
import { DomainError } from '#domain/errors.ts';
import { asksBeforeJoining } from '#server/consent/admitted-captures.ts';
import { answerConsent, type ConsentAnswer } from '#server/consent/answer.ts';
import { recordedHow } from '#server/consent/capture-means.ts';
import type { Services } from '#server/services.ts';
import type { Admitted } from './admit-participant.ts';

/**
 * Stores the answer with which someone asks to be admitted to a hosted page. There they could no longer be asked
 * before they are recorded.
 * @returns their newest answers
 * @throws DomainError 409 if they have to answer first; those of `answerConsent`
 */
export async function consentBeforeJoining(
  services: Services,
  { captures, call, claims, name, organization, tenant }: Admitted,
  answer: ConsentAnswer | undefined,
): Promise<ConsentState> {
  if (!services.video.page?.recorder) return nothing;
  let { consent } = captures;
  if (answer) {
    const who = {
      roomId: claims.roomId,
      callId: call?.id ?? null,
      participantId: claims.participantId,
      kind: claims.kind,
      name,
      organization: organization.name,
      how: recordedHow(services),
    };
    consent = (await answerConsent(tenant, who, answer)).consent;
  }
  const asks = asksBeforeJoining(captures, captures.state);
  if (asks.includes('recording') && !consent?.asked.includes('recording')) throw mustAnswer();
  return consent ?? nothing;
}

const nothing: ConsentState = { asked: [], agreed: [] };

const mustAnswer = () =>
  new DomainError(
    'conflict',
    'consent_needed',
    'This call may be recorded. Please say first whether you agree.',
  );
