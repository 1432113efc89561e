import type { Channel, Participant } from '#domain/calls/participant.ts';
import type { Signal } from '#domain/calls/signal.ts';
import type { Services } from '#server/services.ts';
import { tellCallChange } from './call-changes.ts';
import { goElsewhere, isConnected, isElsewhere, type Person, pagesOf } from './live-person.ts';
import { type Outgoing, tellRoom } from './room-events.ts';
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
  async put(person: Person, channel: Channel): Promise<Participant[]> {
    const { participant } = person;
    const page = { roomId: roomOf(person), channel, participant };
    const { others, hasOtherPage } = await this.#services.bus.presence.put(page);
    if (hasOtherPage && !person.sessions.has('meeting')) goElsewhere(person);
    return others;
  }

  /** Renews the presence of people for the other processes. */
  async renew(people: Person[]): Promise<void> {
    await this.#services.bus.presence.keep(people.flatMap(pagesOf));
    await this.#takeBackLost(people.filter(isElsewhere));
    // A process that follows the notices since a moment ago learns of them, too.
    const guests = new Map(people.filter(isGuestInside).map((one) => [roomOf(one), one]));
    for (const guest of guests.values()) this.#tellOfGuest(guest);
  }

  /**
   * Announces a participant who joined or returned. With a new session of the meeting page, media
   * are negotiated again. While that page is on another process, the others know of the participant.
   */
  announce(person: Person, channel: Channel, isNewSession: boolean): void {
    if (isElsewhere(person)) return;
    person.meetsElsewhere = false;
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
    // What changes of someone who has left meanwhile is of no interest.
    if (person.sessions.size === 0) return;
    this.#services.bus.presence.keep(pagesOf(person)).catch((error) => this.#failed(error));
    if (!person.announced) return;
    const message = { type: 'changed' as const, participant: { ...person.participant } };
    this.#news.tell(person, message, isPaid);
  }

  /** Tells the others of a participant whose meeting page has left on another process, and whose panel is here. */
  takeBack(person: Person): void {
    if (!isElsewhere(person)) return;
    person.meetsElsewhere = false;
    person.participant.connected = isConnected(person);
    // A panel that is lost is told of when it comes back.
    if (person.participant.connected) this.announce(person, 'panel', false);
  }

  /**
   * Tells the others, who may have been told of the page after another process told that its participant has left, that
   * they have. It is no news to the other processes, by one of which the page may be back already.
   */
  tellLost(person: Person): void {
    const { participant } = person;
    person.announced = false;
    const message = { type: 'left' as const, participantId: participant.id };
    tellRoom(this.#services.bus, roomOf(person), { except: participant.id, message });
  }

  /** A page of a participant has closed, who has another one here. */
  pageClosed(person: Person, channel: Channel): void {
    if (!isElsewhere(person)) this.#close(person, [channel]).catch((error) => this.#failed(error));
    if (channel === 'meeting') this.change(person, { inMeeting: false, connected: true });
  }

  /** @param left the page that was the last one; by default, those that are still there */
  remove(person: Person, left?: Channel): void {
    this.#close(person, left ? [left] : [...person.sessions.keys()])
      .then(() => this.#tellOfGuest(person))
      .catch((error) => this.#failed(error));
    const { announced, participant } = person;
    if (announced) this.#news.tell(person, { type: 'left', participantId: participant.id }, false);
  }

  /** Changes that wait for their turn are not told. */
  stop(): void {
    this.#news.close();
  }

  /** A process that ended has not told that its participants have left. */
  async #takeBackLost(people: Person[]): Promise<void> {
    const pages = people.map((person) => pageOf(person, 'meeting'));
    const found = new Set(await this.#services.bus.presence.among(pages));
    for (const [n, person] of people.entries()) {
      const page = pages[n];
      if (page && !found.has(page)) this.takeBack(person);
    }
  }

  async #close(person: Person, channels: Channel[]): Promise<void> {
    await this.#services.bus.presence.remove(channels.map((channel) => pageOf(person, channel)));
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

const isGuestInside = (person: Person) =>
  person.participant.kind === 'guest' && person.participant.inMeeting && isConnected(person);
const roomOf = ({ admitted }: Person) => admitted.claims.roomId;
const pageOf = (person: Person, channel: Channel) => ({
  roomId: roomOf(person),
  channel,
  participantId: person.participant.id,
});
