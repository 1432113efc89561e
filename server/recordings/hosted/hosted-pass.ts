import type { Tenant } from '#server/platform/access.ts';
import type { HostedRecorder } from '#server/providers/video/hosted-recorder.ts';
import type { HostedRoom, RequestTurn } from '#server/providers/video/hosted-room.ts';
import { hostedTurns } from '#server/rooms/hosted-turns.ts';
import type { Services } from '#server/services.ts';

/** One look at a room, and what its steps need. */
export interface HostedPass {
  services: Services;
  recorder: HostedRecorder;
  tenant: Tenant;
  room: HostedRoom;
}

/** The turns of a request. The end of a recording does not wait behind what can wait. */
export const turnOf = (
  { services, room }: HostedPass,
  kind: 'recording' | 'ejection' = 'recording',
): RequestTurn => hostedTurns(services.video, kind, room.orgId);
