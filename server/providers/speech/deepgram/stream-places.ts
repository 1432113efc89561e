/** Streams at the same time, of the installation and of one organization: Deepgram's plans start at 50. */
const most = { inAll: 50, perOrganization: 20 };

/** Counts open streams. Who finds no place has phrases recognized one by one. */
export class StreamPlaces {
  readonly #taken = new Map<string, number>();
  #inAll = 0;

  /** @returns what gives the place back, or null if there is none */
  take(orgId: string): (() => void) | null {
    const own = this.#taken.get(orgId) ?? 0;
    if (this.#inAll >= most.inAll || own >= most.perOrganization) return null;
    this.#taken.set(orgId, own + 1);
    this.#inAll += 1;
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.#inAll -= 1;
      const left = (this.#taken.get(orgId) ?? 1) - 1;
      if (left > 0) this.#taken.set(orgId, left);
      else this.#taken.delete(orgId);
    };
  }
}
