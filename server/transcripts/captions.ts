import type { Published } from '#server/calls/published.ts';
import { type RoomEvent, tellRoom } from '#server/calls/room-events.ts';
import type { LiveBus } from '#server/platform/live-bus.ts';
import type { Speaker } from './speaker.ts';

/** Lines of a speaker that wait to be told. Those beyond are only in the transcript. */
const mostWaiting = 3;

type Line = Extract<RoomEvent['message'], { type: 'caption' }>['line'];

/** Tells rooms what is said in them. Its speaker pays for each page that receives it, as for a chat message. */
export class Captions {
  readonly #bus: LiveBus;
  readonly #published: Published;
  /** Rooms whose phrases are not recognized at present. */
  readonly #failing = new Set<string>();
  /** Rooms that are to be told whether phrases are recognized. */
  readonly #untold = new Set<string>();
  readonly #waiting = new WeakMap<Speaker, { lines: number; characters: number }>();
  readonly #closed = new AbortController();

  constructor(bus: LiveBus, published: Published) {
    this.#bus = bus;
    this.#published = published;
  }

  /** Tells a line that is stored. It waits for its turn, unless several of its speaker wait already. */
  async tell(speaker: Speaker, line: Line, mayGoOn: () => boolean): Promise<void> {
    const waiting = this.#waiting.get(speaker) ?? { lines: 0, characters: 0 };
    this.#waiting.set(speaker, waiting);
    waiting.characters += line.text.length;
    if (waiting.lines >= mostWaiting) return;
    waiting.lines += 1;
    const events = () => {
      const { callId } = speaker;
      const told = { type: 'transcribed', callId, characters: waiting.characters } as const;
      return [
        { channel: 'meeting', message: { type: 'caption', line } },
        { channel: 'panel', message: told },
      ] satisfies RoomEvent[];
    };
    const isTurn = await this.#turn(speaker, events());
    waiting.lines -= 1;
    if (!isTurn || !mayGoOn()) return;
    for (const event of events()) tellRoom(this.#bus, speaker.roomId, event);
    waiting.characters = 0;
  }

  /** Tells the words so far, or drops them. */
  tellInterim(speaker: Speaker, text: string): boolean {
    const event = interimOf(speaker, text);
    const receivers = this.#published.receivers(speaker.roomId, event);
    if (!this.#published.work.letsInterim(speaker.claims, receivers)) return false;
    tellRoom(this.#bus, speaker.roomId, event);
    return true;
  }

  /** Takes the words so far back, which were paid for. */
  takeBack(speaker: Speaker): void {
    tellRoom(this.#bus, speaker.roomId, interimOf(speaker, ''));
  }

  /** Tells the room's pages whether phrases are recognized, if it has changed. */
  tellState(speaker: Speaker, isWorking: boolean): void {
    if (this.#failing.has(speaker.roomId) !== isWorking) return;
    if (isWorking) this.#failing.delete(speaker.roomId);
    else this.#failing.add(speaker.roomId);
    this.announce(speaker);
  }

  /** Tells the room's pages that there are captions. Several that wait are told as one. */
  announce(speaker: Speaker): void {
    const { roomId } = speaker;
    if (this.#untold.has(roomId)) return;
    this.#untold.add(roomId);
    const event = (): RoomEvent => ({
      channel: 'meeting',
      message: { type: 'captions-state', isWorking: !this.#failing.has(roomId) },
    });
    void this.#turn(speaker, [event()]).then((isTurn) => {
      this.#untold.delete(roomId);
      if (isTurn) tellRoom(this.#bus, roomId, event());
    });
  }

  /** Call when nobody of a room is transcribed any more. */
  forget(roomId: string): void {
    this.#failing.delete(roomId);
  }

  /** What waits is not told any more. */
  close(): void {
    this.#closed.abort();
  }

  #turn({ claims, tenant, roomId }: Speaker, events: RoomEvent[]): Promise<boolean> {
    const { work, receivers } = this.#published;
    const all = events.reduce((sum, event) => sum + receivers(claims.roomId, event), 0);
    const address = tenant.address ?? roomId;
    return work.captionTurn({ claims, address, receivers: all, closed: this.#closed.signal });
  }
}

const interimOf = ({ participantId, name }: Speaker, text: string): RoomEvent => ({
  channel: 'meeting',
  message: { type: 'interim-caption', participantId, name, text },
});
