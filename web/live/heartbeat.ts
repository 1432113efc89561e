const beatMs = 200;
/**
 * Silence after which a ping is sent. It is calm outside a call, where a loss that is noticed later disturbs
 * nobody, and while media of the others arrives directly: the network is there, and is noticed to be gone by the
 * media.
 */
const quietMs = { alert: 400, calm: 5_000 };
/**
 * Beats without an answer. Together with the silence before the ping, a lost socket is detected
 * within 2 s, and within 7 s while it is calm.
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
  readonly #isCalm: () => boolean;
  readonly #timer = setInterval(() => this.#beat(), beatMs);
  #quietSince = performance.now();
  #pingedAt: number | null = null;
  #beats = 0;
  #slowestMs = 0;

  /** @param isCalm is asked at each beat */
  constructor(isCalm: () => boolean, events: HeartbeatEvents) {
    this.#isCalm = isCalm;
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
    const quiet = this.#isCalm() ? quietMs.calm : quietMs.alert;
    if (this.#pingedAt === null) {
      if (now - this.#quietSince < quiet) return;
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
