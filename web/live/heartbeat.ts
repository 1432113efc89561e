const beatMs = 200;
/** Silence after which a ping is sent. Outside a call, a loss that is noticed later disturbs nobody. */
const quietMs = { inCall: 400, outside: 5_000 };
/**
 * Beats without an answer. Together with the silence before the ping, a lost socket is detected
 * within 2 s in a call, and within 7 s outside.
 */
const lostBeats = 5;
/** From here on, a new socket is quicker than waiting for this one. */
const deadBeats = 20;

type HeartbeatEvents = {
  ping: () => void;
  /** No answer yet; it may still arrive. */
  onLost: () => void;
  onDead: () => void;
};

/**
 * Detects a dead connection. It counts beats instead of time, so that a page that slept, or whose
 * timers are throttled in the background, does not mistake its own pause for a network failure.
 * Where answers always take long, it waits longer: a slow connection is not a lost one.
 */
export class Heartbeat {
  readonly #events: HeartbeatEvents;
  readonly #quietMs: number;
  readonly #timer = setInterval(() => this.#beat(), beatMs);
  #quietSince = performance.now();
  #pingedAt: number | null = null;
  #beats = 0;
  #slowestMs = 0;

  constructor(where: keyof typeof quietMs, events: HeartbeatEvents) {
    this.#quietMs = quietMs[where];
    this.#events = events;
  }

  /** Call for each message that arrives, of any type. */
  heard(): void {
    const now = performance.now();
    // The effect of an outlier decays.
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
      if (now - this.#quietSince < this.#quietMs) return;
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
