import { closeCodes } from '#domain/calls/close-codes.ts';
import { channel, type Participant } from '#domain/calls/participant.ts';
import type { RoomId } from '#domain/ids.ts';
import type { CallCaptures } from '#server/consent/admitted-captures.ts';
import type { LiveBus, Subscription } from '#server/platform/live-bus.ts';
import type { MediaRoom } from '#server/providers/video/media-room.ts';
import { type Admitted, NotAdmitted } from './admit-participant.ts';
import { mayReach, type Person, reaches, sessionsReached } from './live-person.ts';
import type { LiveSession } from './live-session.ts';
import { type Addressed, listenToRoom, type Outgoing, type RoomEvent } from './room-events.ts';
import { findRunningCall } from './start-call.ts';

/** A room with participants on this process, and its state from the room's events. */
export interface LocalRoom {
  id: RoomId;
  people: Map<string, Person>;
  /** Those on other processes, as far as was heard: whoever publishes pays for their pages, too. */
  elsewhere: Map<string, Participant>;
  /** Admissions in progress, which may add participants. */
  expected: Set<Expected>;
  call: Admitted['call'];
  /** Number of starts, changes and ends received since the subscription. */
  callEvents: number;
  /** Whether the state from before the subscription is known, too. */
  callIsKnown: boolean;
  /** What runs in the newest call that captures are known of. */
  captures: CallCaptures | null;
  /** The newest media room received. */
  mediaRoom: MediaRoom | null;
  subscription: Subscription | null;
  /** Whether nobody is there on any process, as far as was heard: also while Redis has lost what it stored. */
  readonly isEmpty: boolean;
}

/** A participant whose admission is being read. */
export interface Expected {
  /** Number of events of the room's call received before. */
  readonly callEvents: number;
  /** Events received since then that end the call, one participant's admission, or an earlier page of theirs. */
  readonly ends: RoomEvent[];
  /** Call once the participant is admitted or refused. */
  stop(): void;
}

/** Each process renews its entries before each time that it looks for those of the others. */
const lostAfterMisses = 3;

/** The rooms of this process. Each is subscribed to while it has participants or expects one. */
export class LocalRooms {
  /** How often in a row each participant of another process was not found. */
  readonly #missed = new Map<string, number>();
  readonly #bus: LiveBus;
  readonly #deliver: (room: LocalRoom, event: RoomEvent) => void;
  readonly #rooms = new Map<RoomId, LocalRoom>();

  constructor(bus: LiveBus, deliver: (room: LocalRoom, event: RoomEvent) => void) {
    this.#bus = bus;
    this.#deliver = deliver;
  }

  get(id: RoomId): LocalRoom | undefined {
    return this.#rooms.get(id);
  }

  /** Returns the room that a participant is or was in. */
  of({ admitted }: Person): LocalRoom | undefined {
    return this.#rooms.get(admitted.claims.roomId);
  }

  /** Returns the participants of a room; by default, of all rooms. */
  everybody(id?: RoomId): Person[] {
    const rooms = id === undefined ? [...this.#rooms.values()] : [this.#rooms.get(id)];
    return rooms.flatMap((room) => [...(room?.people.values() ?? [])]);
  }

  /** Returns for how many pages of a room an event is sent or kept. Of someone elsewhere, one page is counted. */
  receivers(id: RoomId, event: Addressed): number {
    const room = this.#rooms.get(id);
    if (!room) return 0;
    let pages = 0;
    for (const person of room.people.values()) pages += sessionsReached(event, person).length;
    for (const participant of room.elsewhere.values()) {
      if (mayReach(event, participant)) pages += 1;
    }
    return pages;
  }

  /** Whether the participant is still in their room. */
  has(person: Person): boolean {
    const room = this.of(person);
    return room?.people.get(person.participant.id) === person;
  }

  /** Ends the admissions of a participant that are in progress, as an event that closes their pages does. */
  endAdmissions(person: Person, close: NonNullable<RoomEvent['close']>): void {
    for (const { ends } of this.of(person)?.expected ?? []) {
      ends.push({ to: person.participant.id, close });
    }
  }

  /** Returns the room, subscribed to until `release` finds no participant in it. */
  open(id: RoomId): LocalRoom {
    const found = this.#rooms.get(id);
    if (found) return found;
    const room: LocalRoom = {
      id,
      people: new Map(),
      elsewhere: new Map(),
      expected: new Set(),
      call: null,
      callEvents: 0,
      callIsKnown: false,
      captures: null,
      mediaRoom: null,
      subscription: null,
      get isEmpty() {
        return this.people.size === 0 && this.elsewhere.size === 0;
      },
    };
    room.subscription = listenToRoom(this.#bus, id, (event) => this.#deliver(room, event));
    this.#rooms.set(id, room);
    return room;
  }

  /** Listens to a room from before an admission is read, so that changes in the meantime are received. */
  async expect(id: RoomId): Promise<Expected> {
    const room = this.open(id);
    const expected = {
      callEvents: 0,
      ends: [],
      stop: () => {
        room.expected.delete(expected);
        this.release(room);
      },
    };
    room.expected.add(expected);
    await room.subscription?.ready;
    expected.callEvents = room.callEvents;
    return expected;
  }

  /**
   * Delivers that people of other processes have left who are in no room any more: their process has died. They are
   * looked for a few times, because after a failure of Redis each process has to tell of its own first.
   */
  async dropLost(): Promise<void> {
    const known = [...this.#rooms.values()].flatMap((room) =>
      [...room.elsewhere.keys()].flatMap((participantId) =>
        channel.options.map((channel) => ({ roomId: room.id, participantId, channel, room })),
      ),
    );
    const found = new Set(
      (await this.#bus.presence.among(known)).map(({ participantId }) => participantId),
    );
    const before = new Map(this.#missed);
    this.#missed.clear();
    for (const { room, participantId } of known) {
      if (found.has(participantId) || !room.elsewhere.has(participantId)) continue;
      const misses = (before.get(participantId) ?? 0) + 1;
      if (misses < lostAfterMisses) this.#missed.set(participantId, misses);
      else this.#deliver(room, { message: { type: 'left', participantId } });
    }
  }

  release(room: LocalRoom): void {
    if (room.people.size > 0 || room.expected.size > 0 || this.#rooms.get(room.id) !== room) return;
    room.subscription?.stop();
    this.#rooms.delete(room.id);
  }

  close(): void {
    for (const room of this.#rooms.values()) room.subscription?.stop();
    this.#rooms.clear();
  }
}

/** Ids sort by time, so a value read before a move does not undo it. */
export function learnMediaRoom(room: LocalRoom, mediaRoom: MediaRoom | null): void {
  if (mediaRoom && mediaRoom.id > (room.mediaRoom?.id ?? '')) room.mediaRoom = mediaRoom;
}

/** Of two calls the later one counts, and of a call its newest change. Ids sort by time. */
export function learnCaptures(room: LocalRoom, captures: CallCaptures | null): void {
  const known = room.captures;
  if (!captures || (known && captures.callId < known.callId)) return;
  if (captures.callId === known?.callId && captures.changedAt < known.changedAt) return;
  room.captures = captures;
}

/** Learns who is in the room on other processes. @param others all others of a participant, on any process */
export function learnOthers(room: LocalRoom, others: readonly Participant[]): void {
  // Those who are not among them are not forgotten: some may have been heard of meanwhile.
  for (const other of others) if (!room.people.has(other.id)) room.elsewhere.set(other.id, other);
}

/** Applies a message about the room's roster or call. */
export function hear(room: LocalRoom, message: Outgoing): void {
  hearOfOthers(room, message);
  hearOfCall(room, message);
}

function hearOfOthers({ people, elsewhere }: LocalRoom, message: Outgoing): void {
  if (message.type === 'left') elsewhere.delete(message.participantId);
  if (message.type !== 'joined' && message.type !== 'changed') return;
  const { participant } = message;
  if (people.has(participant.id)) elsewhere.delete(participant.id);
  else elsewhere.set(participant.id, participant);
}

function hearOfCall(room: LocalRoom, message: Outgoing): void {
  if (message.type === 'captures') learnCaptures(room, message);
  if (message.type === 'call-started' || message.type === 'call-changed') {
    const { call } = message;
    // A change that was sent before the first person joined may arrive after it.
    const joined = call.joined || (room.call?.id === call.id && room.call.joined);
    room.call = { ...call, joined } as Admitted['call'];
    room.callEvents += 1;
  }
  if (message.type === 'call-ended') {
    room.call = null;
    room.mediaRoom = null;
    room.callEvents += 1;
  }
}

/**
 * Sets the room's call: by the events since the subscription, and before those by the database. The
 * admission was read during the subscription, so its call is current unless an event arrived
 * meanwhile.
 * @param heardBefore the room's `callEvents` before the admission was read
 */
export async function knowCall(
  room: LocalRoom,
  { tenant, call, captures }: Admitted,
  heardBefore: number,
): Promise<void> {
  learnCaptures(room, captures.state);
  if (room.callIsKnown && room.call?.id === call?.id) return;
  if (room.callEvents === heardBefore) room.call = call;
  else await readCall(room, tenant);
  room.callIsKnown = true;
}

async function readCall(room: LocalRoom, tenant: Admitted['tenant']): Promise<void> {
  for (;;) {
    const heard = room.callEvents;
    const running = await findRunningCall(tenant, room.id);
    if (heard !== room.callEvents) continue;
    room.call = running;
    return;
  }
}

/**
 * @throws NotAdmitted if a later hello took the place, the call ended, or the participant was removed, since
 * the admission was read
 */
export function requireStillExpected(
  room: LocalRoom,
  person: Person,
  session: LiveSession,
  { ends }: Expected,
): void {
  const close = ends.find((event) => event.close && reaches(event, person))?.close;
  if (close) throw new NotAdmitted(close.code, close.reason);
  if (person.sessions.get(session.channel) !== session) {
    throw new NotAdmitted(closeCodes.replaced, 'replaced');
  }
  if (room.people.get(person.participant.id) !== person) {
    throw new NotAdmitted(closeCodes.callEnded, 'call ended');
  }
}
