const beatMs = 200;
/** So long nothing may come before it is asked whether the line is alive. */
const quietMs = 400;
/** Beats without an answer: together with the quiet before it, a lost line is known within 2 s. */
const lostBeats = 5;
/** From here on a new line is quicker than hoping for this one. */
const deadBeats = 20;

type HeartbeatEvents = {
  ping: () => void;
  /** No answer; it may yet come. */
  onLost: () => void;
  onDead: () => void;
};

/**
 * Feels whether a line is alive. It counts beats and not time, so that a page which slept, or whose
 * clock is slowed in the background, does not take its own sleep for the network's. Where answers
 * always take long, more patience: a slow line is not a lost one.
 */
export class Heartbeat {
  readonly #events: HeartbeatEvents;
  readonly #timer = setInterval(() => this.#beat(), beatMs);
  #quietSince = performance.now();
  #pingedAt: number | null = null;
  #beats = 0;
  #slowestMs = 0;

  constructor(events: HeartbeatEvents) {
    this.#events = events;
  }

  /** Anything that came, whatever it says. */
  heard(): void {
    const now = performance.now();
    // An outlier is forgotten by and by.
    if (this.#pingedAt !== null) {
      this.#slowestMs = Math.max(now - this.#pingedAt, this.#slowestMs * 0.9);
    }
    this.#pingedAt = null;
    this.#quietSince = now;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #beat(): void {
    const now = performance.now();
    if (this.#pingedAt === null) {
      if (now - this.#quietSince < quietMs) return;
      this.#pingedAt = now;
      this.#beats = 0;
      this.#events.ping();
      return;
    }
    this.#beats += 1;
    const patience = Math.min(deadBeats, Math.max(lostBeats, (2 * this.#slowestMs) / beatMs));
    if (this.#beats >= 2 * Math.max(deadBeats / 2, patience)) this.#events.onDead();
    else if (this.#beats >= patience) this.#events.onLost();
  }
}
