import type { ParticipantId } from '#domain/ids.ts';
import type { Tenant } from '#server/platform/access.ts';
import type { RecordingEvent } from '#server/providers/video/hosted-recorder.ts';
import type { HostedRoom } from '#server/providers/video/hosted-room.ts';
import type { Services } from '#server/services.ts';

/** What recordings have to know of a hosted page (server/recordings/hosted/). */
export interface HostedRecordings {
  noteRecording: (services: Services, event: RecordingEvent) => Promise<void>;
  noteArrival: (
    services: Services,
    tenant: Tenant,
    room: HostedRoom,
    person: ParticipantId,
    at: Date,
  ) => Promise<void>;
  /** @throws DomainError 503 while the provider records the room */
  requireUnrecorded: (services: Services, tenant: Tenant, room: HostedRoom) => Promise<void>;
}
