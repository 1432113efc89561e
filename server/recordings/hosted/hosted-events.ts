import type { ParticipantId } from '#domain/ids.ts';
import type { RecordingChange } from '#server/consent/recording-events.ts';
import type { Tenant } from '#server/platform/access.ts';
import { tenantOf } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import type { RecordingEvent } from '#server/providers/video/hosted-recorder.ts';
import type { HostedRoom } from '#server/providers/video/hosted-room.ts';
import { hostedTurns } from '#server/rooms/hosted-turns.ts';
import type { Services } from '#server/services.ts';
import { followHosted } from './follow-hosted-room.ts';

const roomOfInstance: Statement = {
  name: 'room_of_hosted_recording',
  text: 'select org_id as "orgId", room_id as "roomId" from room_of_hosted_recording($1)',
};
const noteStarted: Statement = {
  name: 'note_hosted_recording_started',
  text: `update hosted_recordings set recording_id = $3, confirmed_at = coalesce(confirmed_at, now())
    where org_id = $1 and segment_id = $2`,
};
// A recording whose start was not told is found by when it began.
const noteDue: Statement = {
  name: 'note_hosted_recording_due',
  text: `update hosted_recordings set next_attempt_at = now(), recording_id = $3
    where org_id = $1 and segment_id = (select h.segment_id from hosted_recordings h
      where h.org_id = $1 and h.room_id = $2 and (h.recording_id = $3 or h.recording_id is null
        and h.requested_at between $4::timestamptz - interval '1 minute' and $4::timestamptz + interval '10 seconds')
      order by h.recording_id nulls last, h.requested_at desc limit 1)
    returning segment_id`,
};
const noteFailed: Statement = {
  name: 'note_hosted_recording_failed',
  text: `update hosted_recordings set error = coalesce(error, $4), next_attempt_at = now()
    where org_id = $1 and room_id = $2 and segment_id = $3 and stopped_at is null returning segment_id`,
};
const agreesToRecording: Statement = {
  name: 'agrees_to_recording',
  text: `select 'recording' = any (agreed) as agrees from consents
    where org_id = $1 and participant_id = $2 and 'recording' = any (asked) order by id desc limit 1`,
};
const roomExists: Statement = {
  name: 'room_of_foreign_recording_exists',
  text: 'select from rooms where org_id = $1 and id = $2',
};

/** Handles an event of the provider whose signature was verified. */
export async function noteRecording(services: Services, event: RecordingEvent): Promise<void> {
  if (!services.video.page?.recorder) return;
  if (event.kind === 'started') await started(services, event);
  else if (event.kind === 'ready') await ready(services, event);
  else {
    const { room, instance, error } = event;
    const values = [room.orgId, room.roomId, instance, error.slice(0, 500)];
    await systemOf(services, room).connection(({ run }) => run(noteFailed, values));
    void followHosted(services, room);
  }
}

type Started = Extract<RecordingEvent, { kind: 'started' }>;

async function started(services: Services, { instance, recordingId }: Started): Promise<void> {
  const { database, video } = services;
  const recorder = video.page?.recorder;
  const [asked] = await database.connection('outside', ({ run }) =>
    run<RecordingChange & Record<string, unknown>>(roomOfInstance, [instance]),
  );
  // The page is told the instance, and may name it when it records in another room.
  const payer = asked?.orgId ?? 'unknown';
  const room = await recorder?.roomOf(recordingId, hostedTurns(video, 'recording', payer));
  if (!recorder) return;
  if (!room) {
    // Daily may not list it yet. What it records is read again.
    if (asked) void followHosted(services, asked);
    return;
  }
  if (asked && room.orgId === asked.orgId && room.roomId === asked.roomId) {
    const values = [room.orgId, instance, recordingId];
    await systemOf(services, room).connection(({ run }) => run(noteStarted, values));
    void followHosted(services, room);
    return;
  }
  if (!(await isOurs(services, room))) return;
  // Nobody here asked for it, so nobody agreed to it.
  services.log.warn({ ...room, recordingId }, 'someone else records a hosted page; it is stopped');
  await recorder.stop(room, instance, hostedTurns(video, 'ejection', room.orgId));
}

type Ready = Extract<RecordingEvent, { kind: 'ready' }>;

async function ready(services: Services, { room, recordingId, startedAt }: Ready): Promise<void> {
  const values = [room.orgId, room.roomId, recordingId, startedAt];
  const noted = await systemOf(services, room).connection(({ run }) => run(noteDue, values));
  if (noted.length > 0) {
    void followHosted(services, room);
    return;
  }
  const { recorder } = services.video.page ?? {};
  if (!recorder || !(await isOurs(services, room))) return;
  services.log.warn({ ...room, recordingId }, 'a recording that nobody asked for is deleted');
  await recorder.delete(recordingId, hostedTurns(services.video, 'recording', room.orgId));
}

/**
 * Ends a recording if someone has entered the provider's page who has not agreed to it.
 * @param at when they entered, by the provider's clock
 */
export async function noteArrival(
  services: Services,
  tenant: Tenant,
  room: HostedRoom,
  person: ParticipantId,
  at: Date,
): Promise<void> {
  if (!services.video.page?.recorder) return;
  const [row] = await tenant.connection(
    ({ run }) => run<{ agrees: boolean }>(agreesToRecording, [tenant.orgId, person]),
    { isUrgent: true },
  );
  const isStranger = row?.agrees !== true;
  void followHosted(services, room, isStranger ? { strangerAt: at } : {});
}

async function isOurs(services: Services, room: HostedRoom): Promise<boolean> {
  const values = [room.orgId, room.roomId];
  const found = await systemOf(services, room).connection(({ run }) => run(roomExists, values));
  return found.length > 0;
}

const systemOf = ({ database }: Services, { orgId }: Pick<HostedRoom, 'orgId'>) =>
  tenantOf(database, { kind: 'system', name: 'hosted-recording', orgId }, null);
