import { z } from 'zod';

/**
 * The requests that Rapport sends, as specified by Daily's pages "Create room", "Update room",
 * "Create meeting token", "Eject", "Start recording", "Stop recording" and, for their queries, "Get room
 * presence", "List recordings" and "Get recording link" (OpenAPI 1.1.1): the names and types of the fields, with no
 * others allowed. Long parts are abridged. A field that is missing here fails a test. Look it up
 * before adding it.
 */
const unixSeconds = z
  .int({ error: 'should be a number of seconds since the unix epoch' })
  .min(1_000_000_000)
  .max(9_999_999_999, 'looks like milliseconds');

const roomProperties = z.strictObject({
  nbf: unixSeconds.optional(),
  exp: unixSeconds.optional(),
  max_participants: z.int().max(200).optional(),
  enable_people_ui: z.boolean().optional(),
  enable_pip_ui: z.boolean().optional(),
  enable_emoji_reactions: z.boolean().optional(),
  enable_hand_raising: z.boolean().optional(),
  enable_prejoin_ui: z.boolean().optional(),
  enable_live_captions_ui: z.boolean().optional(),
  enable_network_ui: z.boolean().optional(),
  enable_noise_cancellation_ui: z.boolean().optional(),
  enable_breakout_rooms: z.boolean().optional(),
  enable_knocking: z.boolean().optional(),
  enable_screenshare: z.boolean().optional(),
  enable_video_processing_ui: z.boolean().optional(),
  enable_chat: z.boolean().optional(),
  start_video_off: z.boolean().optional(),
  start_audio_off: z.boolean().optional(),
  eject_at_room_exp: z.boolean().optional(),
  eject_after_elapsed: z.int().optional(),
  enforce_unique_user_ids: z.boolean().optional(),
  enable_recording: z.enum(['cloud', 'cloud-audio-only', 'local', 'raw-tracks']).optional(),
  lang: z.string().optional(),
});

const privacy = z.enum(['public', 'private']);

export const createRoom = z.strictObject({
  name: z
    .string()
    .regex(/^[A-Za-z0-9_-]+$/, 'invalid room name')
    .max(128)
    .optional(),
  privacy: privacy.default('public'),
  properties: roomProperties.optional(),
});

export const updateRoom = z.strictObject({
  privacy: privacy.optional(),
  properties: roomProperties.optional(),
});

export const createMeetingToken = z.strictObject({
  properties: z
    .strictObject({
      room_name: z.string().optional(),
      eject_at_token_exp: z.boolean().optional(),
      eject_after_elapsed: z.int().optional(),
      nbf: unixSeconds.optional(),
      exp: unixSeconds.optional(),
      is_owner: z.boolean().optional(),
      user_name: z.string().optional(),
      user_id: z.string().max(36).optional(),
      enable_screenshare: z.boolean().optional(),
      start_video_off: z.boolean().optional(),
      start_audio_off: z.boolean().optional(),
      enable_prejoin_ui: z.boolean().optional(),
      enable_recording_ui: z.boolean().optional(),
      knocking: z.boolean().optional(),
      lang: z.string().optional(),
    })
    .optional(),
});

export const eject = z.strictObject({
  ids: z.array(z.string()).max(100).optional(),
  user_ids: z.array(z.string()).max(100).optional(),
  ban: z.boolean().optional(),
});

const recordingTypes = z.enum(['cloud', 'cloud-audio-only', 'raw-tracks']).default('cloud');
const instanceId = z.uuid().default('00000000-0000-4000-8000-000000000000');
const even = z.number().multipleOf(2, 'must be even');

export const startRecording = z.strictObject({
  width: even.optional(),
  height: even.optional(),
  fps: z.number().optional(),
  videoBitrate: z.number().min(10).max(10_000).optional(),
  audioBitrate: z.number().optional(),
  minIdleTimeOut: z.number().optional(),
  maxDuration: z.number().optional(),
  backgroundColor: z.string().optional(),
  instanceId,
  type: recordingTypes,
});

export const stopRecording = z.strictObject({ instanceId, type: recordingTypes });

const count = z.coerce.number().int().positive().optional();
/** The queries of GET requests. */
export const queries = {
  presence: z.strictObject({
    limit: count,
    userId: z.string().optional(),
    userName: z.string().optional(),
  }),
  recordings: z.strictObject({
    limit: z.coerce.number().int().positive().max(100).optional(),
    ending_before: z.string().optional(),
    starting_after: z.string().optional(),
    room_name: z.string().optional(),
  }),
  link: z.strictObject({
    valid_for_secs: count,
    allow_streaming_from_bucket: z.stringbool().optional(),
  }),
};
