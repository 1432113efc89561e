import { z } from 'zod';
import type { ToBrowser } from '#domain/calls/live.ts';
import type { LiveBus, Subscription } from '#server/platform/live-bus.ts';
import type { MediaRoom } from '#server/providers/video/media-server.ts';

/** A message to a browser before its session numbers it. */
export type Outgoing = ToBrowser extends infer Message
  ? Message extends { sequence: number }
    ? Omit<Message, 'sequence'>
    : never
  : never;

export type Channel = 'meeting' | 'panel';

/**
 * What is told to a room, over all processes. `to` names one participant, `except` leaves one out;
 * `channel` reaches the meeting page or the panel alone.
 */
export interface RoomEvent {
  message?: Outgoing;
  to?: string;
  except?: string;
  channel?: Channel;
  /** Reaches this account's sessions alone. */
  account?: string;
  /** Those whom the event reaches leave the room, after the message. */
  close?: { code: number; reason: string };
  /** Those in the meeting get a pass for it; null says that there is none any more. */
  mediaRoom?: MediaRoom | null;
}

// Only our own processes publish here: the shape is checked, the message was when it was made.
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
