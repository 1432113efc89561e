import { z } from 'zod';
import { contract } from '#domain/contract.ts';
import { day } from '#domain/day.ts';
import {
  accountId,
  callId,
  chatMessageId,
  checklistItemId,
  participantId,
  playbookId,
  ratingId,
  roomId,
} from '#domain/ids.ts';
import { pageQuery } from '#domain/paging.ts';
import { checklistItem, itemText } from '#domain/playbooks/contract.ts';
import { callFilter } from './filter.ts';
import { longestNotes } from './notes-limits.ts';

/** One message of a call's chat; `name` is the sender's at the time. */
export const chatMessage = z.object({
  id: chatMessageId,
  from: participantId,
  kind: z.enum(['staff', 'guest']),
  name: z.string(),
  text: z.string(),
  sentAt: z.iso.datetime(),
});

export const checklistState = z.record(checklistItemId, z.boolean());
export type ChecklistState = z.infer<typeof checklistState>;

export const call = z.object({
  id: callId,
  roomId,
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable(),
  durationSec: z.int().nullable(),
  checklistStateJson: checklistState,
  /** The checklist as it was when the call began. Editing the playbook does not change it. */
  checklistItems: z.array(checklistItem),
  notesSnapshot: z.string().nullable(),
  /** The newest score given by staff. Scores by customers are separate. */
  npsScore: z.int().min(0).max(10).nullable(),
  npsFeedback: z.string().nullable(),
  createdAt: z.iso.datetime(),
  /** Those of the first 1,000 attendances. */
  participantsJson: z.array(z.object({ name: z.string(), avatar: z.string().nullable() })),
  /** Completed without a guest, so it counts in no average. Absent where it is not known who was in the call. */
  internal: z.literal(true).optional(),
  /** Who started it; null if not known any more. */
  agent: z.object({ id: accountId, name: z.string() }).nullable(),
  /** Of a sample room: counts in no figure. */
  sample: z.literal(true).optional(),
  room: z.object({ topic: z.string() }),
});
export type Call = z.infer<typeof call>;

/** A call in a list. `notesTruncated`: `notesSnapshot` is the beginning of the notes, at most 16,000 bytes of JSON. */
export const listedCall = call.extend({ notesTruncated: z.literal(true).optional() });
export type ListedCall = z.infer<typeof listedCall>;

/** Attendances of a call that are answered: each time that a guest enters is one, so there may be any number. */
export const mostAttendances = 1_000;

/** One attendance of a person in a call. Staff who return have several, up to about twenty; guests have no account. */
export const attendance = z.object({
  id: participantId,
  kind: z.enum(['staff', 'guest']),
  accountId: accountId.nullable(),
  name: z.string(),
  avatar: z.string().nullable(),
  joinedAt: z.iso.datetime(),
  leftAt: z.iso.datetime().nullable(),
});
export type Attendance = z.infer<typeof attendance>;

/** A score by one person. Scores of staff and of customers are never mixed. */
export const rating = z.object({
  id: ratingId,
  kind: z.enum(['staff', 'guest']),
  /** Null if the person is no longer known. */
  name: z.string().nullable(),
  score: z.int().min(0).max(10),
  feedback: z.string().nullable(),
  ratedAt: z.iso.datetime(),
});
export type Rating = z.infer<typeof rating>;

export const callDetails = call.extend({
  room: call.shape.room.extend({ status: z.enum(['active', 'archived']) }),
  playbook: z.object({ id: playbookId, title: z.string() }).nullable(),
  /** When the ticked items of the checklist were ticked. */
  tickedAt: z.record(checklistItemId, z.iso.datetime()),
  /** The first 1,000 (`mostAttendances`). */
  attendances: z.array(attendance),
  ratings: z.array(rating),
  /**
   * Only present when true: nothing of the call is deleted until an admin lifts the hold, and its notes, ticks, and
   * scores are not changed once it has ended.
   */
  legalHold: z.literal(true).optional(),
});
export type CallDetails = z.infer<typeof callDetails>;

export const startCallBody = z.object({
  roomId,
  /** Stored if it is plausible (call-times.ts). The server's time replaces it once a person connects. */
  startedAt: z.iso.datetime({ offset: true }).optional(),
});

/** Spec section 7: any part of it. `endForEveryone` ends the call even if other staff are in it. */
export const updateCallBody = z.object({
  /** Ends the call. The time is used only for a call without attendance (call-times.ts). */
  endedAt: z.iso.datetime({ offset: true }).optional(),
  /** Accepted and not stored: the server derives it from the call's two times. */
  durationSec: z.number().optional(),
  endForEveryone: z.boolean().optional(),
  /** Replaces the whole map: items that it does not name are unticked. */
  checklistStateJson: checklistState.optional(),
  /** Single ticks: items that they do not name stay unchanged, so that people's ticks merge. */
  checklistChanges: checklistState.optional(),
  notesSnapshot: z
    .string()
    .max(
      longestNotes,
      'These notes are too long to save. Please keep them under 1,200,000 characters.',
    )
    .optional(),
  /**
   * The page's notes as a Yjs update (version 1), base64. It is merged, and `notesSnapshot` is then
   * ignored. Without it, `notesSnapshot` replaces the stored notes, as a difference.
   */
  notesUpdate: z.base64('We couldn’t read these notes.').optional(),
  npsScore: z
    .int('Please choose a score from 0 to 10')
    .min(0, 'Please choose a score from 0 to 10')
    .max(10, 'Please choose a score from 0 to 10')
    .optional(),
  npsFeedback: z.string().trim().max(5000, 'Please use at most 5000 characters').optional(),
});
export type UpdateCallBody = z.infer<typeof updateCallBody>;

const byId = z.object({ id: callId });

const followLink = 'Follow the Link header to the next page';

export const listCalls = contract({
  method: 'GET',
  path: '/api/calls',
  summary: 'Calls, newest first, or by the order and the filters of the query',
  permission: 'calls.read',
  scope: 'calls:read',
  query: pageQuery.extend({
    ...callFilter.shape,
    /** Of a filtered list, with `before`: the last call's place in the order, as the `Link` header has it. */
    beforeKey: z
      .string()
      .regex(/^(\d{4}-\d\d-\d\d|\d{1,9})$/, followLink)
      .refine((key) => !key.includes('-') || day.safeParse(key).success, followLink)
      .optional(),
  }),
  output: { 200: z.array(listedCall) },
});

export const countCalls = contract({
  method: 'GET',
  path: '/api/call-count',
  summary: 'The number of calls that match a filter',
  permission: 'calls.read',
  scope: 'calls:read',
  query: callFilter,
  /** Not exact if the search finds more than 50 rooms: the number is of the newest 50. */
  output: { 200: z.object({ total: z.int(), isExact: z.boolean() }) },
});

const choice = <Id extends z.ZodType>(id: Id) => z.array(z.object({ id, name: z.string() }));

export const readCallChoices = contract({
  method: 'GET',
  path: '/api/call-choices',
  summary:
    'The rooms, playbooks, and people by which calls can be filtered: the newest 200 of each',
  permission: 'calls.read',
  /** What is chosen is among them, if it exists. */
  query: z.object({ roomId: roomId.optional(), playbookId: playbookId.optional() }),
  output: {
    200: z.object({
      rooms: choice(roomId),
      playbooks: choice(playbookId),
      agents: choice(accountId),
    }),
  },
});

export const readCall = contract({
  method: 'GET',
  path: '/api/calls/:id',
  summary: 'One call, with who was in it when, and every score',
  permission: 'calls.read',
  scope: 'calls:read',
  params: byId,
  output: { 200: callDetails },
  errors: [404],
});

export const addChecklistItemBody = z.object({ text: itemText });

export const addChecklistItem = contract({
  method: 'POST',
  path: '/api/calls/:id/checklist-items',
  summary: 'Add a step to the checklist of a running call',
  permission: 'calls.update',
  stores: true,
  scope: 'calls:write',
  params: byId,
  body: addChecklistItemBody,
  output: { 201: checklistItem },
  errors: [400, 404, 409],
});

export const choosePlaybook = contract({
  method: 'PUT',
  path: '/api/calls/:id/playbook',
  summary: 'Give a playbook to a running call that has none, and to its room if that has none',
  permission: 'calls.update',
  stores: true,
  scope: 'calls:write',
  params: byId,
  body: z.object({ playbookId }),
  output: { 200: call },
  errors: [400, 404, 409],
});

export const readChat = contract({
  method: 'GET',
  path: '/api/calls/:id/chat',
  summary: 'What was written in the chat of a call: the newest 200 messages, oldest first',
  permission: 'calls.read',
  scope: 'calls:read',
  params: byId,
  output: { 200: z.array(chatMessage) },
  errors: [404],
});

export const startCall = contract({
  method: 'POST',
  path: '/api/calls',
  summary: 'Start a call; while one runs in the room, answer that one with 200',
  permission: 'calls.start',
  scope: 'calls:write',
  body: startCallBody,
  output: { 200: call, 201: call },
  errors: [400, 402, 404, 409],
});

export const updateCall = contract({
  method: 'PUT',
  path: '/api/calls/:id',
  summary: 'End, tick, note or score a call',
  permission: 'calls.update',
  scope: 'calls:write',
  params: byId,
  body: updateCallBody,
  // Notes at their limit, with room for escapes; or the same as an update, base64.
  bodyLimit: 1_900_000,
  output: { 200: call },
  errors: [400, 404, 409, 413],
});

/** A meeting token (server/rooms/meeting-token.ts). */
export const meetingToken = z.string().max(4096);

export const leaveMeeting = contract({
  method: 'POST',
  path: '/api/meetings/leave',
  rateLimit: { name: 'leave', most: 120, windowSeconds: 60 },
  summary: 'A page that closes ends its session of the live protocol',
  permission: 'public',
  body: z.object({
    token: meetingToken,
    /** From the `welcome` of the page's socket. */
    session: z.uuid(),
  }),
  output: { 204: null },
  errors: [403, 429],
});
