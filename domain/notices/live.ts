import * as z from 'zod/mini';
import { waitingGuest } from '#domain/calls/participant.ts';

/**
 * The protocol of `/ws/notices`, by which a signed-in browser learns what happens in its organization's
 * rooms: JSON text frames, one message each. The session cookie of the upgrade is the authority. The server sends
 * `rooms` first, and `room` or `changed` after each change. A browser sends `ping`, and nothing else.
 */

/** How often the page that holds the connection sends `ping`: at most one message of an idle browser in 20 seconds. */
export const noticePingSeconds = 25;

/** The waiting guests of a room that a page is told by name; `waiting` counts all. */
export const mostNamedGuests = 10;

const guestAtDoor = z.object({
  ...waitingGuest.shape,
  /** In a room without a lobby, in which no call runs: the guest needs no one to admit them. */
  isInside: z.optional(z.boolean()),
});
export type GuestAtDoor = z.infer<typeof guestAtDoor>;

export const roomNow = z.object({
  roomId: z.string(),
  topic: z.string(),
  /** The running call, once someone has joined it. */
  call: z.nullable(
    z.object({
      startedAt: z.string(),
      /** Null where the engine cannot tell. */
      people: z.nullable(z.number()),
      /** Someone who may admit guests is in it. */
      isHosted: z.boolean(),
    }),
  ),
  /** The number of guests in the lobby, or alone in the room. */
  waiting: z.number(),
  /**
   * These guests. Set only for those who are called to the door: the room's creator, the owner of a
   * personal room, and staff in the call, if they may admit guests.
   */
  guests: z.optional(z.array(guestAtDoor)),
});
export type RoomNow = z.infer<typeof roomNow>;

export const noticeToPage = z.discriminatedUnion('type', [
  /** All rooms in which something happens, in place of those told before. */
  z.object({ type: z.literal('rooms'), rooms: z.array(roomNow) }),
  /** A room that has changed. Without call and guests, nothing happens in it any more. */
  z.object({ type: z.literal('room'), room: roomNow }),
  /** Rooms that have changed together. */
  z.object({ type: z.literal('changed'), rooms: z.array(roomNow) }),
  z.object({ type: z.literal('pong') }),
]);
export type NoticeToPage = z.infer<typeof noticeToPage>;

export const noticeToServer = z.object({ type: z.literal('ping') });

/** Whether anything happens in a room. */
export const isQuiet = ({ call, waiting }: Pick<RoomNow, 'call' | 'waiting'>) =>
  call === null && waiting === 0;
