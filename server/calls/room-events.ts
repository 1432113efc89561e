import { z } from 'zod';
import type { ToBrowser } from '#domain/calls/live.ts';
import type { Channel } from '#domain/calls/participant.ts';
import type { LiveBus, Subscription } from '#server/platform/live-bus.ts';
import type { MediaRoom } from '#server/providers/video/media-room.ts';

/** A message to a browser before its session numbers it. */
export type Outgoing = ToBrowser extends infer Message
  ? Message extends { sequence: number }
    ? Omit<Message, 'sequence'>
    : never
  : never;

/**
 * An event for a room's participants on all processes. `to` addresses one participant, `except`
 * excludes some; `channel` restricts it to the meeting page or the panel.
 */
export interface RoomEvent {
  message?: Outgoing;
  to?: string;
  except?: string | readonly string[];
  channel?: Channel;
  /** Restricts the event to this account's sessions. */
  account?: string;
  /** Removes the recipients from the room, after the message. */
  close?: { code: number; reason: string };
  /** The page of this session has closed. */
  endedSession?: string;
  /** Of news of the roster: the process that tells it. */
  processId?: string;
  /** A session of the recipient's `channel` began at this time: those before it, on other processes, end. */
  replacedAt?: number;
  /** Participants in the meeting get an access token for it; null means that there is none any more. */
  mediaRoom?: MediaRoom | null;
}

/** Whom an event is for, and the type of its message: which pages receive it. */
export type Addressed = Pick<RoomEvent, 'to' | 'except' | 'channel' | 'account'> & {
  message?: Pick<Outgoing, 'type'>;
};

// Only our own processes publish here, and the message was checked when it was created, so only the
// shape is checked.
const roomEvent = z.custom<RoomEvent>((value) => typeof value === 'object' && value !== null);

const channelOf = (roomId: string) => `room:${roomId}`;

export function tellRoom(bus: LiveBus, roomId: string, event: RoomEvent): void {
  bus.publish(channelOf(roomId), event);
}

export function listenToRoom(
  bus: LiveBus,
  roomId: string,
  listen: (event: RoomEvent) => void,
): Subscription {
  return bus.subscribe(channelOf(roomId), (message) => listen(roomEvent.parse(message)));
}
