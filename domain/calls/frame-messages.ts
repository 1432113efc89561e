import * as z from 'zod/mini';
import { themes } from '#domain/looks.ts';

/**
 * Messages between the meeting page in a frame and the page around it, by postMessage with checked
 * origins. `rapport: 1` marks them as ours.
 */
export const fromMeeting = z.discriminatedUnion('type', [
  z.object({ rapport: z.literal(1), type: z.literal('ready') }),
  z.object({ rapport: z.literal(1), type: z.literal('joined') }),
  z.object({ rapport: z.literal(1), type: z.literal('left') }),
  z.object({ rapport: z.literal(1), type: z.literal('call-ended') }),
  z.object({ rapport: z.literal(1), type: z.literal('failed'), code: z.string() }),
  /** How many guests wait in the lobby, if the recipient may admit them. */
  z.object({ rapport: z.literal(1), type: z.literal('waiting'), count: z.number() }),
  /** The server refused what this host wanted to do with a guest: another host was first, for example. */
  z.object({
    rapport: z.literal(1),
    type: z.literal('refused'),
    code: z.string(),
    message: z.string(),
  }),
  /** Whether the own microphone is on, initially and at each change. */
  z.object({ rapport: z.literal(1), type: z.literal('microphone'), on: z.boolean() }),
  /** Whether media of the other participants arrives directly, at each change: then all is well. */
  z.object({ rapport: z.literal(1), type: z.literal('media'), arrives: z.boolean() }),
]);
export type FromMeeting = z.infer<typeof fromMeeting>;

/** How much of the meeting the page around it shows: all, only the videos, or nothing. */
export const meetingViews = ['full', 'small', 'none'] as const;
export type MeetingView = (typeof meetingViews)[number];

/** What the keyboard does in a meeting, wherever the focus is on the call screen. */
export const shortcutActions = [
  'microphone',
  'camera',
  'hand',
  'chat',
  'people',
  'float',
  'sheet',
] as const;
export type ShortcutAction = (typeof shortcutActions)[number];

export const toMeeting = z.discriminatedUnion('type', [
  z.object({ rapport: z.literal(1), type: z.literal('leave') }),
  /** Chosen while the frame is open; null follows the system again. */
  z.object({
    rapport: z.literal(1),
    type: z.literal('theme'),
    theme: z.nullable(z.enum(themes)),
  }),
  z.object({
    rapport: z.literal(1),
    type: z.literal('shortcut'),
    action: z.enum(shortcutActions),
  }),
  z.object({ rapport: z.literal(1), type: z.literal('view'), view: z.enum(meetingViews) }),
  z.object({ rapport: z.literal(1), type: z.literal('microphone'), on: z.boolean() }),
]);
export type ToMeeting = z.infer<typeof toMeeting>;
