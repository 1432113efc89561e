import type { Socket } from 'node:net';
import { networkKey } from './address-key.ts';

export interface ConnectionBounds {
  /** Idle and unfinished connections, which wait for their client. */
  waiting: number;
  /** All connections, WebSockets included. */
  inAll: number;
}

/** A connection waits for its client while `unanswered` is 0. */
interface Connection {
  readonly name: string;
  readonly network: string;
  readonly socket: Socket;
  /** Requests that have arrived completely, and whose answers have not ended. */
  unanswered: number;
}

/**
 * Bounds the connections of all clients together. Past a bound, the network with the most waiting
 * connections loses the one that has waited longest. Connections with a request in progress and
 * WebSockets are not cut. Where only they are left, a new connection is the one that is cut.
 */
export class OpenConnections {
  readonly #bounds: ConnectionBounds;
  readonly #open = new Map<string, Connection>();
  /** By network, oldest first. No set is empty. */
  readonly #waiting = new Map<string, Set<Connection>>();
  #waitingCount = 0;

  constructor(bounds: ConnectionBounds) {
    this.#bounds = bounds;
  }

  /** Counts a new connection until it closes. */
  add(socket: Socket): void {
    const network = networkKey(socket.remoteAddress ?? '');
    const connection = { name: nameOf(socket), network, socket, unanswered: 0 };
    this.#open.set(connection.name, connection);
    this.#wait(connection);
    socket.once('close', () => this.#remove(connection));
    this.#bound();
  }

  /** Returns the connection of a request, or undefined once it was cut. */
  of(socket: Socket): Connection | undefined {
    return this.#open.get(nameOf(socket));
  }

  /** Call when a request begins to arrive: the connection is the newest of those that wait. */
  requested(connection: Connection): void {
    if (connection.unanswered > 0) return;
    this.#stopWaiting(connection);
    this.#wait(connection);
  }

  /** Call when a request has arrived completely. */
  received(connection: Connection): void {
    connection.unanswered += 1;
    this.#stopWaiting(connection);
  }

  /** Call when the answer to a received request has ended. */
  answered(connection: Connection): void {
    connection.unanswered -= 1;
    if (connection.unanswered > 0) return;
    this.#wait(connection);
    this.#bound();
  }

  #wait(connection: Connection): void {
    const { name, network } = connection;
    if (this.#open.get(name) !== connection) return;
    const waiting = this.#waiting.get(network) ?? new Set();
    this.#waiting.set(network, waiting.add(connection));
    this.#waitingCount += 1;
  }

  #stopWaiting(connection: Connection): void {
    const waiting = this.#waiting.get(connection.network);
    if (!waiting?.delete(connection)) return;
    this.#waitingCount -= 1;
    if (waiting.size === 0) this.#waiting.delete(connection.network);
  }

  #bound(): void {
    const { waiting, inAll } = this.#bounds;
    while (this.#waitingCount > waiting || this.#open.size > inAll) {
      const oldest = this.#oldestOfMost();
      if (!oldest) return;
      this.#remove(oldest);
      oldest.socket.destroy();
    }
  }

  #oldestOfMost(): Connection | undefined {
    let most = new Set<Connection>();
    for (const waiting of this.#waiting.values()) if (waiting.size > most.size) most = waiting;
    const [oldest] = most;
    return oldest;
  }

  #remove(connection: Connection): void {
    this.#stopWaiting(connection);
    // A later connection may have the same name before this one has closed.
    if (this.#open.get(connection.name) === connection) this.#open.delete(connection.name);
  }
}

/** Identifies a connection. With TLS, its requests have another socket object. */
const nameOf = ({ remoteAddress, remotePort, localAddress }: Socket) =>
  `${remoteAddress} ${remotePort} ${localAddress}`;
