import type { Signal, ToServer } from '#domain/calls/live.ts';
import type { ParticipantId } from '#domain/ids.ts';

/** What goes on to others, and with it a hello that brings an offer. */
const relayed = new Set<ToServer['type']>(['signal', 'watch', 'media', 'react', 'chat', 'join']);
/**
 * Bytes that one participant may have sent on to others, and how much of that comes back each second.
 * Calling three others takes about 100,000. Sixteen who use it up stay below what a socket buffers.
 */
const burstBytes = 500_000;
const bytesPerSecond = 50_000;

/**
 * Counts what participants have relayed, over all their sockets: coming back brings no fresh budget.
 */
export class RelayBudget {
  readonly #accounts = new Map<ParticipantId, { left: number; countedAt: number }>();

  /** Whether the participant may have this message relayed. `bytes` is its size on the wire. */
  lets(participant: ParticipantId, { type }: ToServer, bytes: number, now: number): boolean {
    return relayed.has(type) ? this.#take(participant, bytes, now) : true;
  }

  letsOffer(participant: ParticipantId, offer: Signal | undefined, now: number): boolean {
    return offer === undefined || this.#take(participant, JSON.stringify(offer).length, now);
  }

  /** Drops what is full again. */
  forget(now: number): void {
    for (const [participant, account] of this.#accounts) {
      if (leftOf(account, now) >= burstBytes) this.#accounts.delete(participant);
    }
  }

  #take(participant: ParticipantId, bytes: number, now: number): boolean {
    const account = this.#accounts.get(participant) ?? { left: burstBytes, countedAt: now };
    account.left = leftOf(account, now) - bytes;
    account.countedAt = now;
    this.#accounts.set(participant, account);
    return account.left >= 0;
  }
}

const leftOf = ({ left, countedAt }: { left: number; countedAt: number }, now: number) =>
  Math.min(burstBytes, left + (Math.max(0, now - countedAt) / 1000) * bytesPerSecond);
