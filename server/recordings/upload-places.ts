import type { OrgId, ParticipantId } from '#domain/ids.ts';
import { counted } from '#server/platform/counted-waits.ts';
import { FairQueue, tooManyWaiting } from '#server/platform/fair-queue.ts';
import { uploadBounds } from './bounds.ts';

/** Parts of one participant, of one organization, and in all. */
const mostWaiting = { ofParticipant: 20, ofOrganization: 400, inAll: 1_000 };

interface Share {
  queue: FairQueue;
  uses: number;
}

/**
 * The places of parts that are read and handled. Participants take turns for the share of their organization, and
 * organizations for all places. What waits holds nothing but a part of its own organization's share.
 */
export class UploadPlaces {
  readonly #all = new FairQueue({
    atOnce: uploadBounds.placeBytes,
    perKey: Number.POSITIVE_INFINITY,
    mostWaiting: mostWaiting.inAll,
  });
  readonly #shares = new Map<string, Share>();
  readonly #waiting = { count: 0 };
  readonly #waitingForAll = { count: 0 };

  static keyOf = (org: OrgId, participant: ParticipantId): string => `${org}/${participant}`;

  /** Whether a part waits although its organization's share has room. */
  isCrowded(): boolean {
    return this.#waitingForAll.count > 0;
  }

  /**
   * @param key by `keyOf`
   * @throws DomainError 429 when too many are waiting
   */
  async run<T>(key: string, task: () => Promise<T>, bytes: number): Promise<T> {
    if (this.#waiting.count >= mostWaiting.inAll) throw tooManyWaiting();
    const org = key.slice(0, key.indexOf('/'));
    const share = this.#shareOf(org);
    share.uses += 1;
    try {
      return await counted(this.#waiting, (begun) =>
        share.queue.run(
          key,
          () =>
            counted(this.#waitingForAll, (taken) =>
              this.#all.run(
                org,
                () => {
                  begun();
                  taken();
                  return task();
                },
                bytes,
              ),
            ),
          bytes,
        ),
      );
    } finally {
      share.uses -= 1;
      if (share.uses === 0) this.#shares.delete(org);
    }
  }

  #shareOf(org: string): Share {
    const known = this.#shares.get(org);
    if (known) return known;
    const queue = new FairQueue({
      atOnce: uploadBounds.placeBytesOfOrganization,
      perKey: uploadBounds.placesOfParticipant,
      mostWaiting: mostWaiting.ofParticipant,
      mostInAll: mostWaiting.ofOrganization,
    });
    const share = { queue, uses: 0 };
    this.#shares.set(org, share);
    return share;
  }
}
