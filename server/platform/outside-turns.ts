import { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { networkKey } from './address-key.ts';
import { FairQueue } from './fair-queue.ts';
import { sharesOf } from './pool-sizes.ts';

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

/**
 * Bounds the connections for what requests ask outside of the tenants, in turns of their networks: strangers may ask
 * there. What a request asks while it holds a connection does not wait for a turn, because those who have one could
 * then wait for each other.
 * @param connections of the pool
 */
export function outsideTurns(connections: number) {
  const { outsideAtOnce } = sharesOf(connections);
  const perKey = Math.ceil(outsideAtOnce / 2);
  const queueOf = () => new FairQueue({ atOnce: outsideAtOnce, perKey, mostWaiting });
  // Transactions may wait for locks. A sign-in begins with reads, which do not wait for those.
  const queues = { read: queueOf(), change: queueOf() };
  return {
    /** @param kind null for what waits for no turn */
    inTurn<T>(kind: keyof typeof queues | null, work: () => Promise<T>): Promise<T> {
      const asks = asking.getStore();
      return kind && asks && !asks.holds ? queues[kind].run(asks.network, work) : work();
    },
    /** Returns `use`, in which the request is known to hold a connection. */
    holding<A, T>(use: (lent: A) => Promise<T>): (lent: A) => Promise<T> {
      const asks = asking.getStore();
      if (!asks || asks.holds) return use;
      return (lent) => asking.run({ ...asks, holds: true }, () => use(lent));
    },
  };
}
