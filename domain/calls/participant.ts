import * as z from 'zod/mini';
import { consentState } from '#domain/consent/live.ts';

export const mediaState = z.object({
  audio: z.boolean(),
  video: z.boolean(),
  /** A screen is shared in addition to the camera. */
  screen: z.optional(z.boolean()),
  /** When the hand was raised, ISO 8601; absent while it is down. */
  hand: z.optional(z.string().check(z.maxLength(32))),
});
export type MediaState = z.infer<typeof mediaState>;

/** The pages by which a participant is in a room: the meeting, and the panel beside it, which staff have. */
export const channel = z.enum(['meeting', 'panel']);
export type Channel = z.infer<typeof channel>;

export const participant = z.object({
  id: z.string(),
  kind: z.enum(['staff', 'guest']),
  name: z.string(),
  avatar: z.nullable(z.string()),
  media: mediaState,
  /** False for a participant who has only the panel open, or is still in the preview. */
  inMeeting: z.boolean(),
  /** False while the connection is lost and may be resumed. */
  connected: z.boolean(),
  /** Absent before the first answer. */
  consent: z.optional(consentState),
});
export type Participant = z.infer<typeof participant>;

/** A guest in the lobby of a room. */
export const waitingGuest = z.object({ id: z.string(), name: z.string(), since: z.string() });
export type WaitingGuest = z.infer<typeof waitingGuest>;
