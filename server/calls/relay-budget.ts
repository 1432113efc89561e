import type { ToServer } from '#domain/calls/live.ts';
import type { Signal } from '#domain/calls/signal.ts';
import type { ParticipantId } from '#domain/ids.ts';
import { Allowance } from '#server/platform/allowance.ts';
import { messageBounds } from './message-bounds.ts';

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
    if (messageBounds[type].cost !== 'relayed') return true;
    return this.#bytes.spend(participant, bytes, now) === 0;
  }

  /** An offer in a hello is relayed, too. */
  letsOffer(participant: ParticipantId, offer: Signal | undefined, now: number): boolean {
    return (
      offer === undefined || this.#bytes.spend(participant, JSON.stringify(offer).length, now) === 0
    );
  }
}
