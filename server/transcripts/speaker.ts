import { notCapturedCode } from '#domain/calls/close-codes.ts';
import type { RoomId } from '#domain/ids.ts';
import { type Admitted, NotAdmitted } from '#server/calls/admit-participant.ts';
import { mayCapture } from '#server/consent/agreed.ts';
import { allowsBrowsers } from '#server/consent/capture-settings.ts';
import type { Statement } from '#server/platform/database.ts';
import type { MeetingClaims } from '#server/rooms/meeting-token.ts';
import type { LineOwner } from './keep-line.ts';

/** A participant whose speech is transcribed, in a running call. */
export interface Speaker extends LineOwner {
  claims: MeetingClaims;
  roomId: RoomId;
  /** Their newest lines, for what a model repeats. */
  recent: string[];
  /** The end of the newest phrase that their own browser has recognized, in milliseconds after the call's start. */
  saidToMs: number;
}

const nameInCall: Statement = {
  name: 'name_in_call',
  text: 'select name from attendances where org_id = $1 and call_id = $2 and id = $3',
};

/** @throws NotAdmitted if nothing of this participant may be captured now */
export async function speakerOf({
  claims,
  tenant,
  call,
  name,
  isHeld,
}: Admitted): Promise<Speaker> {
  if (!call || isHeld) throw notCaptured();
  const { participantId, kind, roomId } = claims;
  return tenant.connection(async (at) => {
    if (!(await mayCapture(at, call.id, participantId, 'transcript'))) throw notCaptured();
    const key = [tenant.orgId, call.id, participantId];
    const [attended] = await at.run<{ name: string }>(nameInCall, key);
    return {
      tenant,
      claims,
      callId: call.id,
      roomId,
      participantId,
      kind,
      accountId: tenant.actor.kind === 'user' ? tenant.actor.accountId : null,
      // As in the call's list of participants.
      name: attended?.name ?? name,
      callStartedAt: Date.parse(call.startedAt),
      recent: [],
      saidToMs: 0,
    };
  });
}

/** Whether the speaker may still be captured. */
export const maySpeak = ({ tenant, callId, participantId }: Speaker): Promise<boolean> =>
  tenant.connection((at) => mayCapture(at, callId, participantId, 'transcript'), {
    isUrgent: true,
  });

/** Whether the speaker's own browser may recognize what they say. */
export const mayRecognizeInBrowser = ({ tenant }: Speaker): Promise<boolean> =>
  tenant.connection(allowsBrowsers);

export const notCaptured = () => new NotAdmitted(notCapturedCode, 'not captured');
