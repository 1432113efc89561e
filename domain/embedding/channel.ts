import { hasShape, isBoolean, isOneOf, isText } from '#domain/shape.ts';

/**
 * The messages between the `<rapport-room>` element in another site's page and the meeting page in its frame
 * (docs/embedding.md). Validated by hand: the element is to stay small.
 *
 * Handshake, by `postMessage` between the windows: the meeting page says `ready`, which contains nothing else, and
 * the element answers with `connect` and one port of a MessageChannel. Everything else goes through that port.
 */
export const channelVersion = 1;

const handshakes = ['ready', 'connect'] as const;
export type Handshake = {
  rapport: 'embed';
  type: (typeof handshakes)[number];
  version: number;
};
export const handshake = (type: Handshake['type']): Handshake => ({
  rapport: 'embed',
  type,
  version: channelVersion,
});
const isVersion = (value: unknown): value is number => Number.isInteger(value);
const isHandshake = (value: unknown): value is Handshake =>
  hasShape<Handshake>(value, {
    rapport: isOneOf(['embed']),
    type: isOneOf(handshakes),
    version: isVersion,
  });

/** Returns the version of a handshake message of this type; null for anything else. */
export const versionIn = (value: unknown, type: Handshake['type']): number | null =>
  isHandshake(value) && value.type === type ? value.version : null;

export const roomCommands = ['mute', 'unmute', 'leave'] as const;
/** From the element to the meeting page. */
export type RoomCommand = { type: (typeof roomCommands)[number] };

export function readCommand(value: unknown): RoomCommand | null {
  return hasShape<RoomCommand>(value, { type: isOneOf(roomCommands) })
    ? { type: value.type }
    : null;
}

/** A participant as the page around the frame learns of them: nothing but a display name. */
export type RoomParticipant = { id: string; name: string };

/** From the meeting page to the element. */
export type RoomEvent =
  | { type: 'waiting' }
  | { type: 'joined'; participants: RoomParticipant[] }
  | { type: 'left'; reason: string }
  | { type: 'participant-joined'; participant: RoomParticipant }
  | { type: 'participant-left'; participant: RoomParticipant }
  | { type: 'microphone'; on: boolean }
  | { type: 'error'; code: string; message: string };

const isParticipant = (value: unknown): value is RoomParticipant =>
  hasShape<RoomParticipant>(value, { id: isText, name: isText });
const areParticipants = (value: unknown): value is RoomParticipant[] =>
  Array.isArray(value) && value.every(isParticipant);

type OneOf<Type extends RoomEvent['type']> = Extract<RoomEvent, { type: Type }>;
const checks: { [Type in RoomEvent['type']]: (value: unknown) => value is OneOf<Type> } = {
  waiting: (value) => hasShape<OneOf<'waiting'>>(value, { type: isOneOf(['waiting']) }),
  joined: (value) =>
    hasShape<OneOf<'joined'>>(value, {
      type: isOneOf(['joined']),
      participants: areParticipants,
    }),
  left: (value) => hasShape<OneOf<'left'>>(value, { type: isOneOf(['left']), reason: isText }),
  'participant-joined': (value) =>
    hasShape<OneOf<'participant-joined'>>(value, {
      type: isOneOf(['participant-joined']),
      participant: isParticipant,
    }),
  'participant-left': (value) =>
    hasShape<OneOf<'participant-left'>>(value, {
      type: isOneOf(['participant-left']),
      participant: isParticipant,
    }),
  microphone: (value) =>
    hasShape<OneOf<'microphone'>>(value, { type: isOneOf(['microphone']), on: isBoolean }),
  error: (value) =>
    hasShape<OneOf<'error'>>(value, { type: isOneOf(['error']), code: isText, message: isText }),
};

/** Returns a message of the meeting page; null for anything else. */
export function readRoomEvent(value: unknown): RoomEvent | null {
  for (const check of Object.values(checks)) if (check(value)) return value;
  return null;
}
