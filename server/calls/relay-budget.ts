import type { Signal, ToServer } from '#domain/calls/live.ts';
import type { ParticipantId } from '#domain/ids.ts';
import { Allowance } from '#server/platform/allowance.ts';

/** What goes on to others, and with it a hello that brings an offer. */
const relayed = new Set<ToServer['type']>(['signal', 'watch', 'media', 'react', 'chat', 'join']);
/**
 * Bytes that one participant may have sent on to others, and how much of that comes back each second.
 * Calling three others takes about 100,000. Sixteen who use it up stay below what a socket buffers.
 */
const relayedBytes = { burst: 500_000, perSecond: 50_000 };

/**
 * Counts what participants have relayed, over all their sockets: coming back brings no fresh budget.
 */
export class RelayBudget {
  readonly #bytes = new Allowance(relayedBytes);

  /** Whether the participant may have this message relayed. `bytes` is its size on the wire. */
  lets(participant: ParticipantId, { type }: ToServer, bytes: number, now: number): boolean {
    return !relayed.has(type) || this.#bytes.spend(participant, bytes, now) === 0;
  }

  letsOffer(participant: ParticipantId, offer: Signal | undefined, now: number): boolean {
    return (
      offer === undefined || this.#bytes.spend(participant, JSON.stringify(offer).length, now) === 0
    );
  }
}
