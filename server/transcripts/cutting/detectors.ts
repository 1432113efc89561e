import type { SpeechDetector } from './phrase-cutter.ts';
import type { InTurn } from './read-opus.ts';

/** Each takes 13 MB and 25 to 50 ms to open, so those that are done are used again. */
const mostOpened = 32;
/** Of an organization, at a time: others find some even if it keeps them for hours. */
const mostOfOrganization = mostOpened / 2;

/** The detectors of all streams of this process. */
export class Detectors {
  readonly #open: (() => SpeechDetector) | null;
  readonly #simple: () => SpeechDetector;
  readonly #free: SpeechDetector[] = [];
  /** By detector, the organization that has it. */
  readonly #given = new Map<SpeechDetector, string>();
  #opened = 0;

  /**
   * @param open takes a while; null where there are none
   * @param simple opens at once, for streams that get no other
   */
  constructor(open: (() => SpeechDetector) | null, simple: () => SpeechDetector) {
    this.#open = open;
    this.#simple = simple;
  }

  /** Returns a detector for a stream of an organization. It is opened in the organization's turn. */
  take(orgId: string, inTurn: InTurn): Promise<SpeechDetector> {
    return inTurn(async () => {
      const found = this.#hasMany(orgId) ? null : (this.#free.pop() ?? this.#openOne());
      if (!found) return this.#simple();
      this.#given.set(found, orgId);
      return found;
    });
  }

  giveBack(detector: SpeechDetector): void {
    detector.reset();
    if (this.#given.delete(detector)) this.#free.push(detector);
  }

  #hasMany(orgId: string): boolean {
    const own = [...this.#given.values()].filter((holder) => holder === orgId);
    return own.length >= mostOfOrganization;
  }

  #openOne(): SpeechDetector | null {
    if (!this.#open || this.#opened >= mostOpened) return null;
    this.#opened += 1;
    return this.#open();
  }
}
