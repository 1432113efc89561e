import { can } from '#domain/auth/permissions.ts';
import { roleForbids } from '#domain/errors.ts';
import { answerConsent } from '#server/consent/answer.ts';
import { captureMeans, recordedHow } from '#server/consent/capture-means.ts';
import { switchCapture } from '#server/consent/captures.ts';
import { tellRecordingChange } from '#server/consent/recording-events.ts';
import { tellLobbyChange } from '#server/rooms/lobby-events.ts';
import type { MessageHandlers, MessageOf, Sender, SenderInCall } from './message-handler.ts';
import { tellRoom } from './room-events.ts';
import { toOthers } from './roster-news.ts';

const toMeeting = { channel: 'meeting' } as const;

/** What is captured of the call, and the participants' answers to it. */
export const captureHandlers = {
  capture: {
    ...toMeeting,
    from: 'meeting',
    mayEdit: true,
    failed: 'We couldn’t do this right now.',
    withoutCall: 'No call is in progress in this room.',
    publishes: () => ({ ...toMeeting, message: { type: 'captures' } }),
    handle: orderCapture,
  },
  consent: {
    ...toMeeting,
    failed: 'We couldn’t save your answer right now.',
    publishes: (person) => ({ ...toOthers(person), message: { type: 'changed' } }),
    handle: keepAnswer,
  },
} satisfies MessageHandlers<'capture' | 'consent'>;

async function orderCapture(
  { services, person: { admitted }, session, call }: SenderInCall,
  { id, kind, running }: MessageOf<'capture'>,
): Promise<void> {
  const { tenant, claims } = admitted;
  if (!can(tenant.actor, 'recordings.start')) throw roleForbids();
  const { roomId, orgId } = claims;
  const { state, hasChanged } = await switchCapture(
    tenant,
    { callId: call.id, roomId },
    { kind, running },
    captureMeans(services),
  );
  const message = { type: 'captures' as const, callId: call.id, ...state };
  if (hasChanged) {
    tellRoom(services.bus, roomId, { ...toMeeting, message });
    // Guests in the preview are asked, too.
    tellLobbyChange(services.bus, { orgId, roomId });
  } else {
    // This page acted on an outdated state.
    session.send(message);
  }
  if (kind === 'recording') tellRecordingChange(services.bus, { orgId, roomId });
  session.send({ type: 'saved', id, savedAt: new Date().toISOString() });
}

async function keepAnswer(
  { services, rooms, person, session }: Sender,
  message: MessageOf<'consent'>,
): Promise<void> {
  const { admitted, participant } = person;
  const { claims, organization, tenant } = admitted;
  const who = {
    roomId: claims.roomId,
    callId: rooms.callOf(person)?.id ?? null,
    participantId: claims.participantId,
    kind: claims.kind,
    name: participant.name,
    organization: organization.name,
    how: recordedHow(services),
  };
  const { consent, isHeld } = await answerConsent(tenant, who, message);
  const { orgId, roomId } = claims;
  if (message.asked.includes('recording')) tellRecordingChange(services.bus, { orgId, roomId });
  admitted.captures.consent = consent;
  rooms.roster.change(person, { consent }, true);
  session.send({ type: 'changed', participant: { ...participant } });
  session.send({
    type: 'saved',
    id: message.id,
    savedAt: new Date().toISOString(),
    ...(isHeld && { held: true }),
  });
}
