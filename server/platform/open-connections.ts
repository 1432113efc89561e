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
  /** Of the other end, which may be a proxy. */
  readonly network: string;
  readonly socket: Socket;
  /** Of the client whose request is in progress. */
  client: string;
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
    const connection: Connection = {
      name: nameOf(socket),
      network,
      socket,
      client: network,
      unanswered: 0,
      isWebSocket: false,
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

  /**
   * Call when a request has arrived completely.
   * @param ip of the client, for which a proxy may have sent it
   */
  received(connection: Connection, ip: string): void {
    connection.unanswered += 1;
    if (connection.unanswered > 1) return;
    connection.client = networkKey(ip);
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
    if (connection.unanswered > 0) this.#answering.add(connection, connection.client);
    else this.#waiting.add(connection, connection.network);
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
  /** Oldest first. No set is empty. */
  readonly #networks = new Map<string, Set<Connection>>();
  readonly #networkOf = new Map<Connection, string>();

  get size(): number {
    return this.#networkOf.size;
  }

  add(connection: Connection, network: string): void {
    const own = this.#networks.get(network) ?? new Set();
    this.#networks.set(network, own.add(connection));
    this.#networkOf.set(connection, network);
  }

  delete(connection: Connection): void {
    const network = this.#networkOf.get(connection);
    if (network === undefined) return;
    this.#networkOf.delete(connection);
    const own = this.#networks.get(network);
    own?.delete(connection);
    if (own?.size === 0) this.#networks.delete(network);
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
