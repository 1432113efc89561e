import type { TransportSwitch } from '#web/media/transport-switch.ts';
import type { Frame } from './frame.ts';

/**
 * Whether the heartbeat (live/heartbeat.ts) may be calm, because the media tell when the network is gone. The page
 * around the meeting gets the answer, too.
 */
export class Calm {
  readonly #transports: Pick<TransportSwitch, 'receivesDirectly'>;
  readonly #frame: Pick<Frame, 'post'>;
  #isWatched = false;
  #told = false;

  constructor(transports: Pick<TransportSwitch, 'receivesDirectly'>, frame: Pick<Frame, 'post'>) {
    this.#transports = transports;
    this.#frame = frame;
  }

  /** Call once a loss of media is noticed (media/network/network-watch.ts). */
  begin(): void {
    this.#isWatched = true;
  }

  isCalm(): boolean {
    const arrives = this.#isWatched && this.#transports.receivesDirectly;
    if (arrives !== this.#told) this.#frame.post({ type: 'media', arrives });
    this.#told = arrives;
    return arrives;
  }
}
