import type { Participant } from '#domain/calls/participant.ts';
import type { Signal } from '#domain/calls/signal.ts';
import type { Services } from '#server/services.ts';
import type { Person } from './live-person.ts';
import { type Channel, type Outgoing, tellRoom } from './room-events.ts';

/** Whom changes of a participant are for. */
export const toOthers = ({ participant }: Person) => ({ except: participant.id });

/** Informs the others in a room, and other processes, about a participant. */
export class LiveRoster {
  readonly #services: Pick<Services, 'bus' | 'log'>;

  constructor(services: Pick<Services, 'bus' | 'log'>) {
    this.#services = services;
  }

  /** @returns all other participants of the room, on any process */
  put({ admitted, participant }: Person): Promise<Participant[]> {
    return this.#services.bus.presence.put(admitted.claims.roomId, participant);
  }

  /**
   * Announces a participant who joined or returned. With a new session of the meeting page, media
   * are negotiated again.
   */
  announce(person: Person, channel: Channel, isNewSession: boolean): void {
    const { participant } = person;
    const type = person.announced ? 'changed' : 'joined';
    this.#tellOthers(person, { type, participant: { ...participant } });
    person.announced = true;
    if (isNewSession && channel === 'meeting') {
      this.#tellOthers(person, { type: 'restarted', participantId: participant.id });
    }
  }

  /** Delivers the offer in a participant's hello to the only other one. */
  offer({ admitted, participant }: Person, to: string, signal: Signal): void {
    const message = { type: 'signal' as const, from: participant.id, signal };
    tellRoom(this.#services.bus, admitted.claims.roomId, { to, channel: 'meeting', message });
  }

  change(person: Person, change: Partial<Participant>): void {
    Object.assign(person.participant, change);
    this.put(person).catch((error) => this.#failed(error));
    if (!person.announced) return;
    this.#tellOthers(person, { type: 'changed', participant: { ...person.participant } });
  }

  remove({ admitted, participant, announced }: Person): void {
    const { bus } = this.#services;
    const { roomId } = admitted.claims;
    bus.presence.remove(roomId, participant.id).catch((error) => this.#failed(error));
    if (!announced) return;
    tellRoom(bus, roomId, { message: { type: 'left', participantId: participant.id } });
  }

  #tellOthers(person: Person, message: Outgoing): void {
    const { roomId } = person.admitted.claims;
    tellRoom(this.#services.bus, roomId, { ...toOthers(person), message });
  }

  #failed(error: unknown): void {
    this.#services.log.error({ err: error }, 'the roster of a room could not be kept');
  }
}
