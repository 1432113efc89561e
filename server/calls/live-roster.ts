import type { Participant } from '#domain/calls/participant.ts';
import type { Signal } from '#domain/calls/signal.ts';
import type { Services } from '#server/services.ts';
import { tellCallChange } from './call-changes.ts';
import type { Person } from './live-person.ts';
import { type Channel, type Outgoing, tellRoom } from './room-events.ts';
import { type CountReceivers, RosterNews } from './roster-news.ts';

/** Informs the others in a room, and other processes, about a participant. */
export class LiveRoster {
  readonly #services: Pick<Services, 'bus' | 'log' | 'config'>;
  readonly #news: RosterNews;

  constructor(services: Pick<Services, 'bus' | 'log' | 'config'>, receivers: CountReceivers) {
    this.#services = services;
    this.#news = new RosterNews(services, receivers);
  }

  /** Names this process in messages that someone has left. */
  get processId(): string {
    return this.#news.processId;
  }

  /** @returns all other participants of the room, on any process */
  put({ admitted, participant }: Person): Promise<Participant[]> {
    return this.#services.bus.presence.put(admitted.claims.roomId, participant);
  }

  /** Renews the presence of people for the other processes. */
  async renew(people: Person[]): Promise<void> {
    await this.#services.bus.presence.keep(people.map(presentAs));
    // A process that follows the notices since a moment ago learns of them, too.
    const guests = new Map(people.filter(isGuestInside).map((one) => [roomOf(one), one]));
    for (const guest of guests.values()) this.#tellOfGuest(guest);
  }

  /**
   * Announces a participant who joined or returned. With a new session of the meeting page, media
   * are negotiated again.
   */
  announce(person: Person, channel: Channel, isNewSession: boolean): void {
    const { participant } = person;
    const type = person.announced ? 'changed' : 'joined';
    this.#news.tell(person, { type, participant: { ...participant } }, false);
    person.announced = true;
    this.#tellOfGuest(person);
    if (isNewSession && channel === 'meeting') {
      this.#news.tell(person, { type: 'restarted', participantId: participant.id }, false);
    }
  }

  /** Delivers the offer in a participant's hello to the only other one. */
  offer(person: Person, to: string, signal: Signal): void {
    this.relay(person, to, { type: 'signal', from: person.participant.id, signal });
  }

  /** Sends one participant's message to another, who has been told of the sender by then. */
  relay(person: Person, to: string, message: Outgoing): void {
    this.#news.introduce(person, to);
    const { roomId } = person.admitted.claims;
    tellRoom(this.#services.bus, roomId, { to, channel: 'meeting', message });
  }

  /** @param isPaid the participant asked for it, and has paid for its receivers */
  change(person: Person, change: Partial<Participant>, isPaid = false): void {
    Object.assign(person.participant, change);
    if (person.isElsewhere) return;
    this.#services.bus.presence.keep([presentAs(person)]).catch((error) => this.#failed(error));
    if (!person.announced) return;
    const message = { type: 'changed' as const, participant: { ...person.participant } };
    this.#news.tell(person, message, isPaid);
  }

  /** Removes someone of whom another process has told that they have left. */
  forget({ admitted, participant }: Person): void {
    this.#services.bus.presence
      .remove(admitted.claims.roomId, participant.id)
      .catch((error) => this.#failed(error));
  }

  remove(person: Person): void {
    const { participant, announced } = person;
    const { roomId } = person.admitted.claims;
    this.#services.bus.presence
      .remove(roomId, participant.id)
      .then(() => this.#tellOfGuest(person))
      .catch((error) => this.#failed(error));
    if (announced) this.#news.tell(person, { type: 'left', participantId: participant.id }, false);
  }

  /** Changes that wait for their turn are not told. */
  close(): void {
    this.#news.close();
  }

  /** A guest in a room without a call waits for the team, which learns of it by the notices. */
  #tellOfGuest({ admitted: { claims } }: Person): void {
    if (claims.kind !== 'guest') return;
    tellCallChange(this.#services.bus, claims.orgId, { guestsIn: claims.roomId });
  }

  #failed(error: unknown): void {
    this.#services.log.error({ err: error }, 'the roster of a room could not be kept');
  }
}

const isGuestInside = ({ participant }: Person) =>
  participant.kind === 'guest' && participant.inMeeting;
const presentAs = ({ admitted, participant }: Person) => ({
  roomId: admitted.claims.roomId,
  participant,
});
const roomOf = ({ admitted }: Person) => admitted.claims.roomId;
