import type { RoomId } from '#domain/ids.ts';
import type { Tenant } from '#server/platform/access.ts';
import type { TrackRecorder } from '#server/providers/video/track-recorder.ts';
import type { Services } from '#server/services.ts';

/** One look at a room, and what its steps need. */
export interface Pass {
  services: Services;
  recorder: TrackRecorder;
  tenant: Tenant;
  roomId: RoomId;
}
