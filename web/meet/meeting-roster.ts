import type { ToBrowser } from '#domain/calls/live.ts';
import { emptyRoster, forgetMissing, nextRoster, type Roster } from '#web/live/roster.ts';
import { markNamesakes } from './namesakes.ts';

/** How long a participant without media may stay missing after a restart of the server. */
const missingMs = 15_000;

type MeetingRosterOptions = {
  /** Whether media of the participant still arrive. */
  flows: (id: string) => boolean;
  /** Called when missing participants were forgotten. */
  onForgotten: (roster: Roster) => void;
};

/** The roster that the server's messages describe, with the names that the page shows. */
export class MeetingRoster {
  readonly #options: MeetingRosterOptions;
  /** With the names as the server sends them. */
  #received: Roster = emptyRoster;
  #shown: Roster = emptyRoster;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: MeetingRosterOptions) {
    this.#options = options;
  }

  /** Returns the roster after the message: the same object if the message changes nothing. */
  receive(message: ToBrowser): Roster {
    this.#put(nextRoster(this.#received, message));
    if (message.type === 'welcome') this.#forgetMissingSoon();
    return this.#shown;
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#put(emptyRoster);
  }

  /** Stops waiting for missing participants; the roster does not change. */
  stop(): void {
    clearTimeout(this.#timer);
  }

  #put(received: Roster): void {
    if (received === this.#received) return;
    this.#received = received;
    this.#shown = markNamesakes(received);
  }

  #forgetMissingSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#forgetMissing(), missingMs);
  }

  #forgetMissing(): void {
    const { flows, onForgotten } = this.#options;
    this.#put(forgetMissing(this.#received, flows));
    onForgotten(this.#shown);
    if (this.#shown.missing.length > 0) this.#forgetMissingSoon();
  }
}
