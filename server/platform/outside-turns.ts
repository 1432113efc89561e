import { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { networkKey } from './address-key.ts';
import { FairQueue } from './fair-queue.ts';
import { mostLookUps, sharesOf } from './pool-sizes.ts';

interface Asking {
  /** The network of the request. */
  network: string;
  /** Whether it holds a connection, or a place for one. */
  holds: boolean;
}

/** The request that asks for a connection. Jobs have none. Neither have sockets, whose work has its own bounds. */
const asking = new AsyncLocalStorage<Asking>();

/** Statements of one network that wait. One more is refused. */
const mostWaiting = 1_000;
/** What takes longer mostly waits for a lock. From then on, its network or account comes after the others. */
const slowMs = 1_000;

/**
 * Remembers for each request from which network it comes. Twice, because the body arrives by events that do not
 * belong to the request.
 */
export function nameNetworks(http: FastifyInstance): void {
  const name = (request: FastifyRequest, _reply: FastifyReply, done: () => void) => {
    if (request.ws) done();
    else asking.run({ network: networkKey(request.ip), holds: false }, done);
  };
  http.addHook('onRequest', name);
  http.addHook('preValidation', name);
}

/** Runs what a socket asks before it is known whose it is, in the turns of its network. */
export const inTurnsOf = <T>(ip: string, work: () => Promise<T>): Promise<T> =>
  asking.run({ network: networkKey(ip), holds: false }, work);

/**
 * Bounds the connections for what requests ask outside of the tenants, in turns of their networks: strangers may ask
 * there. What a request asks while it holds a connection does not wait for a turn, because those who have one could
 * then wait for each other. What accounts ask there takes turns of its own.
 * @param connections of the pool
 */
export function outsideTurns(connections: number) {
  const { outsideAtOnce, accountsAtOnce } = sharesOf(connections);
  const queueOf = (atOnce: number, most = mostWaiting) =>
    new FairQueue({ atOnce, perKey: Math.ceil(atOnce / 2), mostWaiting: most });
  // Transactions may wait for locks. A sign-in begins with reads, which do not wait for those.
  const queues = { read: queueOf(outsideAtOnce), change: queueOf(outsideAtOnce) };
  // What of an account may wait is bounded by its own share.
  const accounts = queueOf(accountsAtOnce, Number.POSITIVE_INFINITY);
  // Strangers may send any number of tokens. Nothing of these waits for a lock, so one network may use all.
  const lookUps = new FairQueue({
    atOnce: mostLookUps,
    perKey: mostLookUps,
    mostWaiting: Number.POSITIVE_INFINITY,
  });
  return {
    /** Runs a look-up of a request's session or token, which are looked up in turns of the networks. */
    ofLookUp<T>(work: () => Promise<T>): Promise<T> {
      const asks = asking.getStore();
      return asks && !asks.holds ? lookUps.run(asks.network, work) : work();
    },
    /** Runs what an account asks, once it has its own share. */
    ofAccount: <T>(account: string, work: () => Promise<T>): Promise<T> =>
      accounts.run(account, () => timed(accounts, account, work)),
    /** @param kind null for what waits for no turn */
    inTurn<T>(kind: keyof typeof queues | null, work: () => Promise<T>): Promise<T> {
      const asks = asking.getStore();
      if (!kind || !asks || asks.holds) return work();
      const { network } = asks;
      const inOwnTime = () => (kind === 'read' ? work() : timed(queues.change, network, work));
      return queues[kind].run(network, inOwnTime);
    },
    /** Returns `use`, in which the request is known to hold a connection. */
    holding<A, T>(use: (lent: A) => Promise<T>): (lent: A) => Promise<T> {
      const asks = asking.getStore();
      if (!asks || asks.holds) return use;
      return (lent) => asking.run({ ...asks, holds: true }, () => use(lent));
    },
  };
}

async function timed<T>(queue: FairQueue, key: string, work: () => Promise<T>): Promise<T> {
  const timer = setTimeout(() => queue.overran(key), slowMs).unref();
  try {
    return await work();
  } finally {
    clearTimeout(timer);
  }
}
