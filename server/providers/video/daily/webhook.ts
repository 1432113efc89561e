import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { participantId } from '#domain/ids.ts';
import { roomOfName } from './room-name.ts';

/** How far the time of a webhook may differ from ours. Older ones may be replayed. */
const replayWindowMs = 5 * 60_000;
/** Larger numbers are epoch milliseconds; as seconds this is the year 5138. */
const smallestMs = 100_000_000_000;

/**
 * Returns whether Daily has signed exactly these bytes recently. Source: Daily's page "Webhooks":
 * X-Webhook-Signature is the base64 HMAC-SHA256 of X-Webhook-Timestamp, a dot and the body, under
 * the secret, which is base64 itself.
 * @param secret DAILY_WEBHOOK_SECRET, at least 16 bytes
 */
export function isSignedByDaily(
  secret: string,
  { signature, timestamp, body }: { signature: string; timestamp: string; body: string },
  now: Date,
): boolean {
  const given = Number(timestamp);
  if (!/^\d{1,16}$/.test(timestamp)) return false;
  const sentAt = given < smallestMs ? given * 1000 : given;
  if (Math.abs(now.getTime() - sentAt) > replayWindowMs) return false;
  const expected = createHmac('sha256', Buffer.from(secret, 'base64'))
    .update(`${timestamp}.${body}`)
    .digest();
  const claimed = Buffer.from(signature, 'base64');
  return claimed.length === expected.length && timingSafeEqual(claimed, expected);
}

/** Daily's test request before it creates a webhook (page "Webhooks"). */
export const isHandshake = (body: unknown): boolean =>
  z.strictObject({ test: z.string() }).safeParse(body).success;

const common = { id: z.string().min(1).max(200) };
const roomOf = z.string().transform(roomOfName);
const seconds = z.number().nonnegative();
const person = {
  room: roomOf,
  user_id: participantId.nullish().catch(null),
  user_name: z.string().nullish(),
  owner: z.boolean().default(false),
  joined_at: seconds,
};

/**
 * The events that are handled, as described by Daily's pages "Participant joined", "Participant
 * left" and "Meeting ended"; null for all others, and for foreign rooms.
 */
const event = z.discriminatedUnion('type', [
  z.object({ ...common, type: z.literal('participant.joined'), payload: z.object(person) }),
  z.object({
    ...common,
    type: z.literal('participant.left'),
    payload: z.object({ ...person, duration: seconds }),
  }),
  z.object({
    ...common,
    type: z.literal('meeting.ended'),
    payload: z.object({ room: roomOf, end_ts: seconds }),
  }),
]);
export type DailyEvent = z.infer<typeof event>;

export function readDailyEvent(body: unknown): DailyEvent | null {
  const parsed = event.safeParse(body);
  return parsed.success && parsed.data.payload.room ? parsed.data : null;
}

const recordingId = z.string().min(1).max(100);

/**
 * The events about recordings, as described by Daily's pages "Recording started", which names no room, "Recording
 * error", and "Recording ready to download", which does not name the instance.
 */
const recordingEvent = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('recording.started'),
    payload: z.object({ recording_id: recordingId, instance_id: z.uuid() }),
  }),
  z.object({
    type: z.literal('recording.error'),
    payload: z.object({
      room_name: roomOf,
      instance_id: z.uuid(),
      error_msg: z.string().catch('Daily could not record.'),
    }),
  }),
  z.object({
    type: z.literal('recording.ready-to-download'),
    payload: z.object({ room_name: roomOf, recording_id: recordingId, start_ts: seconds }),
  }),
]);
export type DailyRecordingEvent = z.infer<typeof recordingEvent>;

/** Returns null for other events. */
export const readRecordingEvent = (body: unknown): DailyRecordingEvent | null =>
  recordingEvent.safeParse(body).data ?? null;
