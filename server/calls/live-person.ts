import { closeCodes } from '#domain/calls/close-codes.ts';
import type { Channel, Participant } from '#domain/calls/participant.ts';
import { addressKey } from '#server/platform/address-key.ts';
import { type Admitted, NotAdmitted } from './admit-participant.ts';
import type { LiveSession } from './live-session.ts';
import type { Addressed, Outgoing, RoomEvent } from './room-events.ts';

/** A participant on this process, with at most one meeting page and one panel. */
export interface Person {
  admitted: Admitted;
  participant: Participant;
  sessions: Map<Channel, LiveSession>;
  absences: Map<Channel, NodeJS.Timeout>;
  /** Whether the others have been informed of this participant, by this process. */
  announced: boolean;
  /** Settles when the last attendance is stored. It must not be ended before. */
  attending: Promise<void>;
  /** Hellos and look-ups that have not ended. An attendance waits for them: it lets a person stay in the call. */
  lookUps: number;
  isAttendanceDue: boolean;
  /** Their meeting page was last heard of on another process. */
  meetsElsewhere: boolean;
}

export function newPerson(admitted: Admitted): Person {
  return {
    admitted,
    participant: {
      id: admitted.claims.participantId,
      kind: admitted.claims.kind,
      name: admitted.name,
      avatar: admitted.avatar,
      media: { audio: false, video: false },
      inMeeting: false,
      connected: true,
    },
    sessions: new Map(),
    absences: new Map(),
    announced: false,
    attending: Promise.resolve(),
    lookUps: 0,
    isAttendanceDue: false,
    meetsElsewhere: false,
  };
}

export const isConnected = (person: Person) =>
  [...person.sessions.values()].some((session) => session.socket);

/** Whether another process tells the others of a participant, because it has their meeting page. */
export const isElsewhere = ({ meetsElsewhere, sessions }: Person) =>
  meetsElsewhere && !sessions.has('meeting');

/** Leaves it to another process to tell the others of a participant. */
export function goElsewhere(person: Person): void {
  person.meetsElsewhere = true;
  person.announced = false;
  person.participant.inMeeting = false;
}

/** The pages of a participant that are on this process, as the others find them. */
export const pagesOf = ({ admitted, participant, sessions }: Person) =>
  [...sessions.keys()].map((channel) => ({
    roomId: admitted.claims.roomId,
    channel,
    participant,
  }));

/** Who takes turns, and whose places are counted: an account, or the guests of one address. */
export function entrantOf({ admitted: { claims, tenant } }: Person): string {
  return claims.kind === 'staff' ? claims.accountId : addressKey(tenant.address ?? '');
}

/** Returns whether the others fill the mesh. Disconnected participants do not count. */
export const isFull = (others: Participant[], limit: number) =>
  others.filter((other) => other.inMeeting && other.connected).length >= limit;

const shownInPreview: ReadonlySet<Outgoing['type']> = new Set([
  'joined',
  'changed',
  'left',
  'lobby',
  'call-started',
  'call-changed',
  'call-ended',
  'captures',
]);

/**
 * Returns whether a message may be sent to a participant's page. The preview, which only staff have
 * here, receives the roster and the state of the call, and no messages of the meeting.
 */
const maySee = (
  { participant }: Person,
  channel: Channel,
  { type }: Pick<Outgoing, 'type'>,
): boolean => channel === 'panel' || participant.inMeeting || shownInPreview.has(type);

/** Returns whether an event of the room is meant for this participant. */
export function reaches(event: Addressed, person: Person): boolean {
  const { claims } = person.admitted;
  if (event.to !== undefined && event.to !== claims.participantId) return false;
  if ([event.except].flat().includes(claims.participantId)) return false;
  if (event.account === undefined) return true;
  return claims.kind === 'staff' && claims.accountId === event.account;
}

/**
 * Returns whether an event of the room may reach a page of someone on another process, whose pages are not known: staff
 * have a panel.
 */
export function mayReach(event: Addressed, { id, kind, inMeeting }: Participant): boolean {
  if (event.to !== undefined && event.to !== id) return false;
  if ([event.except].flat().includes(id)) return false;
  const { channel, message } = event;
  if (channel === 'panel') return kind === 'staff';
  if (channel === undefined && kind === 'staff') return true;
  return inMeeting || message === undefined || shownInPreview.has(message.type);
}

/** Returns the sessions of a participant that an event of the room is sent to. */
export function sessionsReached(event: Addressed, person: Person): LiveSession[] {
  if (!reaches(event, person)) return [];
  const { message, channel } = event;
  return [...person.sessions.values()].filter(
    (session) =>
      (!channel || session.channel === channel) &&
      (!message || maySee(person, session.channel, message)),
  );
}

/** Returns the participant's session with this id. */
export const sessionOf = ({ sessions }: Person, id: string): LiveSession | undefined =>
  [...sessions.values()].find((session) => session.id === id);

/** Sends an event of the room to the pages of a participant that it reaches. */
export function handEvent(person: Person, event: RoomEvent): void {
  const { message, close, ...address } = event;
  if (message) for (const session of sessionsReached(event, person)) session.send(message);
  if (!close) return;
  // Also to a page that may not see the message.
  for (const session of sessionsReached(address, person)) session.close(close.code, close.reason);
}

/**
 * Ends the page that a hello was to replace, which failed because the participant is not in the room any more: what
 * takes a participant out of it closes the newest session only.
 */
export function endFormer(former: LiveSession | undefined, error: unknown): undefined {
  const reason =
    error instanceof NotAdmitted ? error : new NotAdmitted(closeCodes.replaced, 'turned away');
  former?.close(reason.closeCode, reason.message);
}
