import { z } from 'zod';
import { contract } from '#domain/contract.ts';
import {
  callId,
  participantId,
  recordedMediaId,
  recordedSegmentId,
  recordedTrackId,
} from '#domain/ids.ts';
import { requiredText } from '#domain/text.ts';

/** What a page records of itself: the camera's track includes the microphone; without a camera it is sound only. */
const pageSources = ['camera', 'screen'] as const;
/**
 * A media server records each track alone, so its recordings have tracks of sound, too. The provider of a hosted page
 * records everyone in one picture: a file of `everyone` belongs to no one alone.
 */
export const recordedSources = [...pageSources, 'microphone', 'screen-sound', 'everyone'] as const;
export type RecordedSource = (typeof recordedSources)[number];

export const mediaStates = ['waiting', 'ready', 'failed'] as const;
export type MediaState = (typeof mediaStates)[number];

/** Seconds of one part. A page that dies loses at most the part that it records. */
export const partSeconds = 2;
/** Bytes of one part: several times what two seconds of video take. */
export const largestPart = 4 * 1024 * 1024;
/** Bytes of the picture that stands for a segment. */
export const largestPoster = 200 * 1024;

/** One file of a track. A track has several where its camera changed or its page was reloaded. */
const recordedFile = z.object({
  id: recordedMediaId,
  state: z.enum(mediaStates),
  /** Short-lived and private, answers range requests. Null unless the state is `ready`. */
  url: z.string().nullable(),
  posterUrl: z.string().nullable(),
  mimeType: z.string().nullable(),
  hasVideo: z.boolean(),
  /** Milliseconds after the call's start. */
  startMs: z.int(),
  durationMs: z.int().nullable(),
  sizeBytes: z.int().nullable(),
  /** Loudness, 0 to 255, ten values a second. */
  waveform: z.array(z.int()),
});
export type RecordedFile = z.infer<typeof recordedFile>;

export const recordedTrack = z.object({
  id: recordedTrackId,
  source: z.enum(recordedSources),
  files: z.array(recordedFile),
});

export const recordedPerson = z.object({
  participantId,
  name: z.string(),
  kind: z.enum(['staff', 'guest']),
  tracks: z.array(recordedTrack),
});
export type RecordedPerson = z.infer<typeof recordedPerson>;

export const recording = z.object({
  callId,
  /**
   * `none`: never recorded. `partial`: some files failed, the others play. `expired`: deleted by the retention
   * rule. `deleted`: deleted by a member.
   */
  state: z.enum([
    'none',
    'recording',
    'processing',
    'ready',
    'partial',
    'failed',
    'expired',
    'deleted',
  ]),
  /** From the call's start to the end of the last file. */
  durationMs: z.int(),
  sizeBytes: z.int(),
  people: z.array(recordedPerson),
  /** When the retention rule deletes it. */
  expiresAt: z.iso.datetime().nullable(),
  legalHold: z
    .object({ reason: z.string(), placedAt: z.iso.datetime(), placedBy: z.string().nullable() })
    .nullable(),
});
export type Recording = z.infer<typeof recording>;

/** A meeting token (server/rooms/meeting-token.ts). */
const meetingToken = z.string().max(4096);

/** By the server's clock, in milliseconds since 1970. Parts are answered with these as well. */
export const serverTimes = z.object({ receivedAt: z.int(), answeredAt: z.int() });

export const beginSegment = contract({
  method: 'POST',
  path: '/api/recordings/segments',
  summary: 'Begin a segment of the recording of one’s own camera or screen, with a meeting token',
  permission: 'public',
  // Of an address: an office of 50 people. Each participant has a limit of their own (upload-routes.ts).
  rateLimit: { name: 'recorded-segments', most: 3000, windowSeconds: 60 },
  body: z.object({
    token: meetingToken,
    source: z.enum(pageSources),
    mimeType: z.string().max(100),
    hasVideo: z.boolean(),
    /** Milliseconds since the segment's first frame, by the page's own clock. */
    ageMs: z.int().min(0).max(600_000).default(0),
  }),
  output: {
    201: z.object({
      segmentId: recordedSegmentId,
      /** Authorizes this segment's parts for a day, after the participant has left as well. */
      uploadToken: z.string(),
      ...serverTimes.shape,
    }),
  },
  errors: [403, 404, 409, 429, 507],
});

export const completeSegment = contract({
  method: 'POST',
  path: '/api/recordings/segments/:id/complete',
  summary: 'Say how many parts a segment has',
  permission: 'public',
  // As often as segments begin.
  rateLimit: { name: 'completed-segments', most: 3000, windowSeconds: 60 },
  params: z.object({ id: recordedSegmentId }),
  body: z.object({
    uploadToken: z.string().max(4096),
    partCount: z.int().min(0).max(100_000),
    /**
     * When its first frame was taken, by the server's clock as the page has measured it from `serverTimes`, in
     * milliseconds since 1970. It replaces what the request that began the segment said, which was as late as that
     * request was long on its way.
     */
    startedAt: z.int().min(0).max(253_402_300_799_999).nullable().default(null),
  }),
  output: { 204: null },
  errors: [403, 404, 429],
});

export const getRecording = contract({
  method: 'GET',
  path: '/api/calls/:id/recording',
  summary: 'A call’s recording: one list of files for each person, on the call’s clock',
  permission: 'calls.read',
  params: z.object({ id: callId }),
  output: { 200: recording },
  errors: [404],
});

export const retryRecording = contract({
  method: 'POST',
  path: '/api/calls/:id/recording/retry',
  summary: 'Try again to prepare the files of a recording that failed',
  permission: 'calls.update',
  params: z.object({ id: callId }),
  output: { 204: null },
  errors: [404],
});

export const deleteRecording = contract({
  method: 'DELETE',
  path: '/api/calls/:id/recording',
  summary: 'Delete a call’s recording and transcript, of everyone',
  permission: 'recordings.delete',
  params: z.object({ id: callId }),
  output: { 204: null },
  errors: [404, 409],
});

export const removeFromRecording = contract({
  method: 'DELETE',
  path: '/api/calls/:id/recording/people/:participantId',
  summary: 'Delete what was recorded and transcribed of one person; the others stay',
  permission: 'recordings.delete',
  params: z.object({ id: callId, participantId }),
  output: { 204: null },
  errors: [404, 409],
});

export const placeLegalHold = contract({
  method: 'PUT',
  path: '/api/calls/:id/legal-hold',
  summary: 'Keep everything of a call until the hold is lifted, whatever would delete it',
  permission: 'privacy.manage',
  needsVerifiedAddress: true,
  params: z.object({ id: callId }),
  body: z.object({ reason: requiredText('Please enter a reason', 500) }),
  output: { 204: null },
  errors: [404, 409],
});

export const liftLegalHold = contract({
  method: 'DELETE',
  path: '/api/calls/:id/legal-hold',
  summary: 'Lift a legal hold; deletions that it held up follow',
  permission: 'privacy.manage',
  params: z.object({ id: callId }),
  output: { 204: null },
  errors: [404],
});

export const readRecordingStorage = contract({
  method: 'GET',
  path: '/api/recordings/storage',
  summary: 'What the organization’s recordings use, and the calls under legal hold',
  permission: 'privacy.manage',
  output: {
    200: z.object({
      usedBytes: z.int(),
      /** Null without a limit. */
      mostBytes: z.int().nullable(),
      recordedCalls: z.int(),
      /** Days after which recordings are deleted; null keeps them. */
      retentionDays: z.int().nullable(),
      /** The newest hundred. */
      holds: z.array(
        z.object({
          callId,
          room: z.string(),
          startedAt: z.iso.datetime(),
          reason: z.string(),
          placedAt: z.iso.datetime(),
        }),
      ),
    }),
  },
});
export type RecordingStorage = z.infer<(typeof readRecordingStorage.output)[200]>;
