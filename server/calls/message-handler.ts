import type { ToServer } from '#domain/calls/live.ts';
import type { Channel } from '#domain/calls/participant.ts';
import type { Services } from '#server/services.ts';
import type { RunningCall } from './admit-participant.ts';
import type { Person } from './live-person.ts';
import type { LiveRooms } from './live-rooms.ts';
import type { LiveSession } from './live-session.ts';
import type { Addressed } from './room-events.ts';

/** Messages that concern the socket itself are handled by live.ts. */
export type MessageType = Exclude<ToServer['type'], 'hello' | 'ping' | 'leave'>;
export type MessageOf<Type extends MessageType> = Extract<ToServer, { type: Type }>;

/** The page that sent a message: its participant, and the session that answers go to. */
export interface Sender {
  services: Services;
  rooms: LiveRooms;
  person: Person;
  session: LiveSession;
}

export interface SenderInCall extends Sender {
  call: RunningCall;
}

interface Conditions {
  /** The socket that sends these messages. From the other one they are ignored. */
  channel: Channel;
  /** Where the sender has to be; from elsewhere these messages are ignored. */
  from?: 'meeting' | 'preview';
  /** The sender may edit calls; for others these messages are refused. */
  mayEdit?: true;
  /**
   * The event of the room that the message leads to: its sender pays for each page that it reaches. Not
   * set if one participant at most is told.
   */
  publishes?(person: Person): Addressed;
  /** What the sender reads when the handler fails; without it such a failure ends the socket. */
  failed?: string;
}

interface InAnyRoom<Type extends MessageType> extends Conditions {
  withoutCall?: undefined;
  handle(sender: Sender, message: MessageOf<Type>): void | Promise<void>;
}

interface InCall<Type extends MessageType> extends Conditions {
  failed: string;
  /** What the sender reads when no call is in progress in the room. */
  withoutCall: string;
  handle(sender: SenderInCall, message: MessageOf<Type>): void | Promise<void>;
}

/** How messages of one type are handled, and under which conditions. */
export type MessageHandler<Type extends MessageType> = InAnyRoom<Type> | InCall<Type>;
export type MessageHandlers<Type extends MessageType> = {
  [Each in Type]: MessageHandler<Each>;
};
