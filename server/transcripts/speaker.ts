import { notCapturedCode, tryAgainLater } from '#domain/calls/close-codes.ts';
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

const attending: Statement = {
  name: 'attending_speaker',
  text: `select name from attendances
    where org_id = $1 and call_id = $2 and id = $3 and left_at is null`,
};

/** @throws NotAdmitted if nothing of this participant may be captured now */
export async function speakerOf({ claims, tenant, call, isHeld }: Admitted): Promise<Speaker> {
  if (!call || isHeld) throw notCaptured();
  const { participantId, kind, roomId } = claims;
  return tenant.connection(async (at) => {
    if (!(await mayCapture(at, call.id, participantId, 'transcript'))) throw notCaptured();
    const key = [tenant.orgId, call.id, participantId];
    const [attended] = await at.run<{ name: string }>(attending, key);
    if (!attended) throw notInCall();
    return {
      tenant,
      claims,
      callId: call.id,
      roomId,
      participantId,
      kind,
      accountId: tenant.actor.kind === 'user' ? tenant.actor.accountId : null,
      // As in the call's list of participants.
      name: attended.name,
      callStartedAt: Date.parse(call.startedAt),
      recent: [],
      saidToMs: 0,
    };
  });
}

/** @throws NotAdmitted if the speaker may be captured no more, or has left the call */
export const requireMaySpeak = ({ tenant, callId, participantId }: Speaker): Promise<void> =>
  tenant.connection(
    async (at) => {
      if (!(await mayCapture(at, callId, participantId, 'transcript'))) throw notCaptured();
      const key = [tenant.orgId, callId, participantId];
      if ((await at.run(attending, key)).length === 0) throw notInCall();
    },
    { isUrgent: true },
  );

/** Whether the speaker's own browser may recognize what they say. */
export const mayRecognizeInBrowser = ({ tenant }: Speaker): Promise<boolean> =>
  tenant.connection(allowsBrowsers);

/** A page that lost its network may be back in a moment, and says hello again then. */
const notInCall = () => new NotAdmitted(tryAgainLater, 'not in the call');
export const notCaptured = () => new NotAdmitted(notCapturedCode, 'not captured');
