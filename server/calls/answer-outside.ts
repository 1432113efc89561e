import type { ToServer } from '#domain/calls/live.ts';
import type { ConsentState } from '#domain/consent/live.ts';
import { type AdmittedCaptures, asksBeforeJoining } from '#server/consent/admitted-captures.ts';
import { answerConsent } from '#server/consent/answer.ts';
import type { Admitted } from './admit-participant.ts';
import { guestName } from './guest-name.ts';

export type Answer = Extract<ToServer, { type: 'consent' }>;

/** Stores the answer of a guest in the preview or the lobby, and returns the newest one about each kind. */
export async function answerOutside(admitted: Admitted, answer: Answer): Promise<ConsentState> {
  const { claims, call, name, organization, tenant } = admitted;
  const hasGivenName = claims.kind === 'guest' && claims.name !== undefined;
  const who = {
    roomId: claims.roomId,
    callId: call?.id ?? null,
    participantId: claims.participantId,
    kind: claims.kind,
    name: answer.name === undefined || hasGivenName ? name : guestName(answer.name),
    organization: organization.name,
    // A hosted page has its own lobby, so nobody waits outside of it here.
    how: 'alone' as const,
  };
  return (await answerConsent(tenant, who, answer)).consent;
}

/** Returns what a guest outside of the meeting learns about captures. */
export function waitingCaptures(captures: AdmittedCaptures) {
  const asks = asksBeforeJoining(captures, captures.state);
  const { consent } = captures;
  return { ...(asks.length > 0 && { asks }), ...(consent && { consent }) };
}
