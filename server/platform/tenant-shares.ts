import { tooManyWaiting } from './fair-queue.ts';

export interface ConnectionShares {
  /** Connections of one tenant. */
  perTenant: number;
  /** Of those, connections of one actor of a tenant. */
  perActor: number;
}

/** More can only be a flood. */
const mostWaiting = 2_000;

interface ActorTurns {
  running: number;
  waiting: (() => void)[];
}

interface TenantTurns {
  running: number;
  /** In the order in which they are served next. */
  actors: Map<string, ActorTurns>;
}

/**
 * Keeps each tenant within its share of the connections to the database, which its actors use in turns.
 * A flood of one actor delays nobody else, least of all the admin who removes its sender. Waiting here
 * holds nothing that other tenants use.
 */
export class TenantShares {
  readonly #shares: ConnectionShares;
  readonly #tenants = new Map<string, TenantTurns>();

  constructor(shares: ConnectionShares) {
    this.#shares = shares;
  }

  /**
   * Takes a part of the tenant's share, to be given back.
   * @returns null when it is there, which is the rule; else what to wait for
   * @throws DomainError 429 when too many uses of this actor are waiting
   */
  take(tenant: string, actor: string): Promise<void> | null {
    const ofTenant = this.#tenants.get(tenant) ?? { running: 0, actors: new Map() };
    const ofActor = ofTenant.actors.get(actor) ?? { running: 0, waiting: [] };
    this.#tenants.set(tenant, ofTenant);
    ofTenant.actors.set(actor, ofActor);
    if (this.#mayRun(ofTenant, ofActor)) {
      this.#start(ofTenant, ofActor);
      return null;
    }
    if (ofActor.waiting.length >= mostWaiting) throw tooManyWaiting();
    return new Promise((go) => ofActor.waiting.push(go));
  }

  giveBack(tenant: string, actor: string): void {
    const ofTenant = this.#tenants.get(tenant);
    const ofActor = ofTenant?.actors.get(actor);
    if (!ofTenant || !ofActor) throw new Error('a share was given back that nobody took');
    ofTenant.running -= 1;
    ofActor.running -= 1;
    // Others come first.
    ofTenant.actors.delete(actor);
    if (ofActor.running > 0 || ofActor.waiting.length > 0) ofTenant.actors.set(actor, ofActor);
    if (ofTenant.actors.size === 0) this.#tenants.delete(tenant);
    else this.#next(ofTenant);
  }

  #mayRun(ofTenant: TenantTurns, ofActor: ActorTurns): boolean {
    const { perTenant, perActor } = this.#shares;
    return ofTenant.running < perTenant && ofActor.running < perActor;
  }

  #start(ofTenant: TenantTurns, ofActor: ActorTurns): void {
    ofTenant.running += 1;
    ofActor.running += 1;
  }

  /** One was given back: one more may run. */
  #next(ofTenant: TenantTurns): void {
    for (const ofActor of ofTenant.actors.values()) {
      const [go] = ofActor.waiting;
      if (!go || !this.#mayRun(ofTenant, ofActor)) continue;
      ofActor.waiting.shift();
      this.#start(ofTenant, ofActor);
      go();
      return;
    }
  }
}
