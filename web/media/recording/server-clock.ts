/** One request, in milliseconds since 1970. */
export interface Exchange {
  /** By the page's clock. */
  sentAt: number;
  heardAt: number;
  /** By the server's. */
  receivedAt: number;
  answeredAt: number;
}

/**
 * Estimates how far the server's clock is ahead of the page's, from the request that spent the least time on its
 * way: half of that time is the largest error (RFC 5905, section 8).
 */
export class ServerClock {
  #aheadMs: number | null = null;
  #leastMs = Number.POSITIVE_INFINITY;

  note({ sentAt, heardAt, receivedAt, answeredAt }: Exchange): void {
    const onTheWayMs = heardAt - sentAt - (answeredAt - receivedAt);
    // It is negative if a clock was set meanwhile.
    if (onTheWayMs < 0 || onTheWayMs >= this.#leastMs) return;
    this.#leastMs = onTheWayMs;
    this.#aheadMs = (receivedAt - sentAt + answeredAt - heardAt) / 2;
  }

  /** Returns a moment of the page's clock on the server's; null before the first answer. */
  ofServer(pageMs: number): number | null {
    return this.#aheadMs === null ? null : Math.round(pageMs + this.#aheadMs);
  }
}
