import { tooManyWaiting } from './fair-queue.ts';

export interface ConnectionShares {
  /** Connections of one tenant. */
  perTenant: number;
  /** Of those, connections of one actor. */
  perActor: number;
}

/** More than this is a flood. */
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
 * Limits each tenant to its share of the database connections, which its actors use in turns. A
 * flood of one actor delays no one else, in particular not the admin who removes its sender. A
 * waiting use holds nothing that other tenants need.
 */
export class TenantShares {
  readonly #shares: ConnectionShares;
  readonly #tenants = new Map<string, TenantTurns>();

  constructor(shares: ConnectionShares) {
    this.#shares = shares;
  }

  /**
   * Takes a part of the tenant's share. Return it with `giveBack`.
   * @returns null when it is available, which is the usual case; otherwise a promise to await
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
    // Puts the actor behind the others.
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

  /** Starts one waiting use after another has returned its part. */
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
