import type { OrgId } from '#domain/ids.ts';
import { FairQueue } from './fair-queue.ts';
import { sharesOf } from './pool-sizes.ts';
import { TenantShares } from './tenant-shares.ts';

/** How a use waits for its connection. */
export interface Turn {
  /** The actor whose turn this use takes: the actors of a tenant take turns. */
  actorKey?: string;
  /** Another queue to pass after the tenant's share is taken and before a connection is. */
  through?: Gate | undefined;
  /**
   * Takes no part of the tenant's share, which its own work may have used up. For short statements, few at a
   * time, whose rows no long work locks: what a revocation has ended must be found, and noted, within a second.
   */
  isUrgent?: boolean | undefined;
}
export type Gate = <T>(work: () => Promise<T>) => Promise<T>;
/** What the connection is for: one statement or a few, or a transaction, which may wait for a lock. */
export type UseKind = 'statement' | 'transaction';

const mostWaiting = Number.POSITIVE_INFINITY;

/** Says whose turn it is to use one of a pool's connections. A caller must not ask for one while it holds one. */
export class ConnectionTurns {
  readonly #shares: TenantShares;
  readonly #tenants: FairQueue;
  /** Callers are to ask few at a time. A caller that asks for many must not take all connections. */
  readonly #urgent: FairQueue;
  /** What is asked for on behalf of no tenant and no account, such as by strangers. */
  readonly #outside: FairQueue;

  constructor(connections: number) {
    const shares = sharesOf(connections);
    this.#shares = new TenantShares(shares);
    this.#tenants = new FairQueue({
      atOnce: shares.atOnce,
      perKey: shares.perTenant,
      mostWaiting,
    });
    this.#urgent = new FairQueue({
      atOnce: shares.urgentAtOnce,
      perKey: Math.ceil(shares.urgentAtOnce / 2),
      mostWaiting,
    });
    this.#outside = new FairQueue({
      atOnce: shares.outsideAtOnce,
      perKey: shares.outsidePerKind,
      mostWaiting,
    });
  }

  /**
   * Runs a use in its turn. It waits for the tenant's own share first, then for the gate, and last for the tenant's
   * turn among all tenants, so that a waiting use never holds a shared resource.
   */
  async run<T>(
    tenant: OrgId | 'outside',
    kind: UseKind,
    { actorKey: actor = '', through, isUrgent }: Turn,
    use: () => Promise<T>,
  ): Promise<T> {
    const isOutside = tenant === 'outside';
    if (isUrgent) return this.#urgent.run(tenant, use);
    if (isOutside && !actor) return this.#outside.run(kind, use);
    const work = isOutside ? use : () => this.#tenants.run(tenant, use);
    // Outside of the tenants, each account has its own share.
    const holder = isOutside ? `outside ${actor}` : tenant;
    const share = this.#shares.take(holder, actor);
    if (share) await share;
    try {
      return await (through ? through(work) : work());
    } finally {
      this.#shares.giveBack(holder, actor);
    }
  }
}
