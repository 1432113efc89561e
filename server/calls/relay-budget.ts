import type { ToServer } from '#domain/calls/live.ts';
import type { Signal } from '#domain/calls/signal.ts';
import type { ParticipantId } from '#domain/ids.ts';
import { Allowance } from '#server/platform/allowance.ts';

/** Messages that are relayed to others. A hello with an offer counts, too. */
const relayed = new Set<ToServer['type']>(['signal', 'watch', 'media', 'react', 'chat', 'join']);
/**
 * Bytes that one participant may have relayed to others, and the refill per second. Calling three
 * others takes about 100,000. Sixteen participants who use it up stay below what a socket buffers.
 */
const relayedBytes = { burst: 500_000, perSecond: 50_000 };

/**
 * Counts what participants have relayed, over all their sockets, so that reconnecting brings no new
 * budget.
 */
export class RelayBudget {
  readonly #bytes = new Allowance(relayedBytes);

  /** Returns whether the participant may have this message relayed. `bytes` is its size as received. */
  lets(participant: ParticipantId, { type }: ToServer, bytes: number, now: number): boolean {
    return !relayed.has(type) || this.#bytes.spend(participant, bytes, now) === 0;
  }

  letsOffer(participant: ParticipantId, offer: Signal | undefined, now: number): boolean {
    return (
      offer === undefined || this.#bytes.spend(participant, JSON.stringify(offer).length, now) === 0
    );
  }
}
