import { PacedTurns } from '#server/platform/paced-turns.ts';
import type { SpeechDetector } from './phrase-cutter.ts';
import type { InTurn } from './read-opus.ts';

/** Each takes 13 MB and a while to open, so those that are done are used again. */
const mostOpened = 32;
/**
 * Detectors that are opened for an organization: each blocks the process for 25 to 50 ms. Those of a meeting of a
 * hundred people are open after five seconds, for which what they say waits.
 */
const openings = { burst: 4, perSecond: 6 };

/** Whose stream takes a detector. */
interface Taker {
  orgId: string;
  participantId: string;
}

/** The detectors of all streams of this process. */
export class Detectors {
  readonly #open: (() => SpeechDetector) | null;
  readonly #simple: () => SpeechDetector;
  readonly #openings = new PacedTurns(openings);
  readonly #free: SpeechDetector[] = [];
  readonly #given = new Set<SpeechDetector>();
  /** Aborted once no more are opened, which nobody needs to wait for. */
  readonly #full = new AbortController();
  #opened = 0;

  /**
   * @param open takes a while; null where there are none
   * @param simple opens at once, for streams that get no other
   */
  constructor(open: (() => SpeechDetector) | null, simple: () => SpeechDetector) {
    this.#open = open;
    this.#simple = simple;
  }

  /** Returns a detector for a stream. Where one has to be opened, participants of an organization take turns. */
  async take({ orgId, participantId }: Taker, inTurn: InTurn): Promise<SpeechDetector> {
    if (this.#mustOpen()) {
      await this.#openings.turn(orgId, participantId, this.#full.signal);
    }
    return inTurn(async () => this.#takeNow());
  }

  giveBack(detector: SpeechDetector): void {
    detector.reset();
    if (this.#given.delete(detector)) this.#free.push(detector);
  }

  #mustOpen(): boolean {
    return this.#open !== null && this.#free.length === 0 && this.#opened < mostOpened;
  }

  #takeNow(): SpeechDetector {
    const found = this.#free.pop() ?? this.#openOne();
    if (!found) return this.#simple();
    this.#given.add(found);
    return found;
  }

  #openOne(): SpeechDetector | null {
    if (!this.#open || this.#opened >= mostOpened) return null;
    const opened = this.#open();
    this.#opened += 1;
    if (this.#opened >= mostOpened) this.#full.abort();
    return opened;
  }
}
