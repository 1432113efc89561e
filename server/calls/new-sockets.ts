import type { Socket } from 'node:net';
import { decodeJwt } from 'jose';
import type { WebSocket } from 'ws';
import { closeCodes } from '#domain/calls/close-codes.ts';
import { DomainError } from '#domain/errors.ts';
import { addressKey } from '#server/platform/address-key.ts';
import { boundFrames } from '#server/platform/bounded-frames.ts';
import { FairQueue } from '#server/platform/fair-queue.ts';

export interface NewSocketBounds {
  /** Bytes received before the server has accepted the socket's token. */
  mostBytes: number;
  /** Past so many bytes of all new sockets together, each may send only as much as a hello of a page has at most. */
  mostInAll: number;
  bytesOfHello: number;
  helloSeconds: number;
  perAddress: number;
  /** Hellos of one address, with one link or for one room, that are checked at the same time. */
  perLink: number;
}

const bounds: NewSocketBounds = {
  mostBytes: 32 * 1024,
  mostInAll: 1024 * 1024,
  bytesOfHello: 8 * 1024,
  helloSeconds: 10,
  perAddress: 100,
  perLink: 8,
};

/** A socket whose token has not been accepted yet. */
export interface NewSocket {
  /** Checks the token of its hello, once few enough of the same link are being checked. */
  hello<T>(token: string, look: () => Promise<T>): Promise<T>;
  /** Call once the token was accepted: it lifts the bounds. */
  letIn(): void;
}

/**
 * Bounds what sockets cost before their token is accepted: their number per address, the bytes that
 * each sends, its frames, and its time. Bytes are counted as they arrive, so that an unfinished message is not
 * stored.
 */
export class NewSockets {
  readonly #bounds: NewSocketBounds;
  readonly #hellos: FairQueue;
  /** New sockets by address. */
  readonly #counts = new Map<string, number>();
  /** What new sockets have sent. */
  #bytes = 0;

  constructor(changed: Partial<NewSocketBounds> = {}) {
    this.#bounds = { ...bounds, ...changed };
    const { perLink, perAddress } = this.#bounds;
    // There is no bound on all hellos together, because those that wait for a database connection
    // would block others.
    const atOnce = Number.POSITIVE_INFINITY;
    this.#hellos = new FairQueue({ atOnce, perKey: perLink, mostWaiting: perAddress });
  }

  /**
   * Call before the upgrade.
   * @throws DomainError 429
   */
  refuseMore(ip: string): void {
    if ((this.#counts.get(addressKey(ip)) ?? 0) < this.#bounds.perAddress) return;
    throw new DomainError(
      'too_many',
      'too_many_sockets',
      'Too many connections from your network. Please wait a moment.',
      { retryAfterSeconds: this.#bounds.helloSeconds },
    );
  }

  watch(socket: WebSocket, connection: Socket, ip: string): NewSocket {
    const { mostBytes, mostInAll, bytesOfHello, helloSeconds } = this.#bounds;
    const address = addressKey(ip);
    let isNew = true;
    this.#add(address, 1);
    const letFramesIn = boundFrames(socket, connection);
    let bytes = 0;
    // Added after the listener of `ws`, so at most one read beyond the limit is processed.
    const count = (chunk: Buffer) => {
      bytes += chunk.length;
      this.#bytes += chunk.length;
      const most = this.#bytes > mostInAll ? bytesOfHello : mostBytes;
      if (bytes > most) socket.terminate();
    };
    connection.on('data', count);
    const end = () => socket.close(closeCodes.silent, 'hello did not come in time');
    const timer = setTimeout(end, helloSeconds * 1000).unref();
    const letIn = () => {
      clearTimeout(timer);
      connection.off('data', count);
      letFramesIn();
      if (!isNew) return;
      this.#add(address, -1);
      this.#bytes -= bytes;
      isNew = false;
    };
    socket.once('close', letIn);
    return {
      letIn,
      hello: (token, look) => this.#hellos.run(`${address} ${linkOf(token)}`, look),
    };
  }

  #add(key: string, change: 1 | -1): void {
    const count = (this.#counts.get(key) ?? 0) + change;
    if (count > 0) this.#counts.set(key, count);
    else this.#counts.delete(key);
  }
}

/** Reads the link or room from the token, which is not verified here. */
function linkOf(token: string): string {
  try {
    const { guestLinkId, roomId } = decodeJwt(token);
    return String(guestLinkId ?? roomId);
  } catch {
    return 'none';
  }
}
