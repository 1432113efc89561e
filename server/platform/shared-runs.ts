import type { OrgId } from '#domain/ids.ts';
import type { Gate } from './database.ts';
import { FairQueue } from './fair-queue.ts';
import { TenantShares } from './tenant-shares.ts';

/** How many requests share one result. More would make many long answers in the same moment. */
const mostSharing = 8;
/** An organization with a run that took longer comes after the others (FairQueue). */
const slowMs = 1_000;

interface WaitingRun {
  sharing: number;
  result: Promise<unknown>;
}

/**
 * Runs what costs more the more an organization stores: one run at a time for each organization, whose actors
 * take turns, and two in all. Requests that wait for the same run share its result.
 */
export class SharedRuns {
  readonly #own = new TenantShares({ perTenant: 1, perActor: 1 });
  readonly #inAll = new FairQueue({
    atOnce: 2,
    perKey: 1,
    mostWaiting: Number.POSITIVE_INFINITY,
  });
  /** By organization and key: the newest run that has not begun, which others can join. */
  readonly #waiting = new Map<string, WaitingRun>();

  /**
   * Returns the result of a run that begins after this call, so that it includes all changes made before.
   * @param key names what `read` reads, with its parameters; equal keys have results of the same type
   * @param read passes the gate when nothing but a database connection is left to wait for
   * @throws DomainError 429 when too many runs of this actor wait, and any error of the run
   */
  run<T>(
    by: { orgId: OrgId; actorKey: string },
    key: string,
    read: (through: Gate) => Promise<T>,
  ): Promise<T> {
    const name = `${by.orgId} ${key}`;
    const waiting = this.#waiting.get(name);
    if (waiting && waiting.sharing < mostSharing) {
      waiting.sharing += 1;
      // Results of equal keys have the same type.
      return waiting.result as Promise<T>;
    }
    const run: WaitingRun = { sharing: 1, result: Promise.resolve() };
    const close = () => {
      if (this.#waiting.get(name) === run) this.#waiting.delete(name);
    };
    this.#waiting.set(name, run);
    const result = this.#inTurn(by, read, close).finally(close);
    run.result = result;
    return result;
  }

  /** @param begins called when the run begins */
  async #inTurn<T>(
    { orgId, actorKey }: { orgId: OrgId; actorKey: string },
    read: (through: Gate) => Promise<T>,
    begins: () => void,
  ): Promise<T> {
    await this.#own.take(orgId, actorKey);
    try {
      return await read((work) =>
        this.#inAll.run(orgId, () => {
          begins();
          return this.#timed(orgId, work);
        }),
      );
    } finally {
      this.#own.giveBack(orgId, actorKey);
    }
  }

  async #timed<T>(orgId: OrgId, work: () => Promise<T>): Promise<T> {
    const beganAt = performance.now();
    try {
      return await work();
    } finally {
      if (performance.now() - beganAt > slowMs) this.#inAll.overran(orgId);
    }
  }
}
