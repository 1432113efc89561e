import type { Socket } from 'node:net';
import { networkKey } from './address-key.ts';

export interface ConnectionBounds {
  /** Idle and unfinished connections, which wait for their client. */
  waiting: number;
  /** Connections with a request in progress. */
  answering: number;
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
  isWebSocket: boolean;
}

/**
 * Bounds the connections of all clients together. Past a bound, the network with the most waiting
 * connections loses the one that has waited longest. Past the bound of requests in progress, the network with the most
 * of them loses its oldest. WebSockets are not cut. Where only they and requests in progress are left, a new
 * connection is the one that is cut.
 */
export class OpenConnections {
  readonly #bounds: ConnectionBounds;
  readonly #open = new Map<string, Connection>();
  readonly #waiting = new Crowd();
  readonly #answering = new Crowd();

  constructor(bounds: ConnectionBounds) {
    this.#bounds = bounds;
  }

  /** Counts a new connection until it closes. */
  add(socket: Socket): void {
    const network = networkKey(socket.remoteAddress ?? '');
    const connection = {
      ...{ name: nameOf(socket), network, socket },
      ...{ unanswered: 0, isWebSocket: false },
    };
    this.#open.set(connection.name, connection);
    this.#place(connection);
    socket.once('close', () => this.#remove(connection));
    this.#bound();
  }

  /** Returns the connection of a request, or undefined once it was cut. */
  of(socket: Socket): Connection | undefined {
    return this.#open.get(nameOf(socket));
  }

  /** Call when a request begins to arrive: the connection is the newest of those that wait. */
  requested(connection: Connection): void {
    if (connection.unanswered === 0) this.#place(connection);
  }

  /** Call when a request has arrived completely. */
  received(connection: Connection): void {
    connection.unanswered += 1;
    if (connection.unanswered > 1) return;
    this.#place(connection);
    this.#bound();
  }

  /** Call when a request becomes a WebSocket. */
  upgraded(connection: Connection): void {
    connection.isWebSocket = true;
    this.#place(connection);
  }

  /** Call when the answer to a received request has ended. */
  answered(connection: Connection): void {
    connection.unanswered -= 1;
    if (connection.unanswered > 0) return;
    this.#place(connection);
    this.#bound();
  }

  /** Counts the connection where it belongs now, as the newest. */
  #place(connection: Connection): void {
    this.#take(connection);
    if (connection.isWebSocket || this.#open.get(connection.name) !== connection) return;
    (connection.unanswered > 0 ? this.#answering : this.#waiting).add(connection);
  }

  #take(connection: Connection): void {
    this.#waiting.delete(connection);
    this.#answering.delete(connection);
  }

  #bound(): void {
    const { waiting, answering, inAll } = this.#bounds;
    while (this.#waiting.size > waiting || this.#open.size > inAll) {
      if (!this.#cut(this.#waiting.oldestOfMost())) break;
    }
    while (this.#answering.size > answering) this.#cut(this.#answering.oldestOfMost());
  }

  #cut(connection: Connection | undefined): boolean {
    if (!connection) return false;
    this.#remove(connection);
    connection.socket.destroy();
    return true;
  }

  #remove(connection: Connection): void {
    this.#take(connection);
    // A later connection may have the same name before this one has closed.
    if (this.#open.get(connection.name) === connection) this.#open.delete(connection.name);
  }
}

/** Connections by network. */
class Crowd {
  size = 0;
  /** Oldest first. No set is empty. */
  readonly #networks = new Map<string, Set<Connection>>();

  add(connection: Connection): void {
    const own = this.#networks.get(connection.network) ?? new Set();
    this.#networks.set(connection.network, own.add(connection));
    this.size += 1;
  }

  delete(connection: Connection): void {
    const own = this.#networks.get(connection.network);
    if (!own?.delete(connection)) return;
    this.size -= 1;
    if (own.size === 0) this.#networks.delete(connection.network);
  }

  oldestOfMost(): Connection | undefined {
    let most = new Set<Connection>();
    for (const own of this.#networks.values()) if (own.size > most.size) most = own;
    const [oldest] = most;
    return oldest;
  }
}

/** Identifies a connection. With TLS, its requests have another socket object. */
const nameOf = ({ remoteAddress, remotePort, localAddress }: Socket) =>
  `${remoteAddress} ${remotePort} ${localAddress}`;
