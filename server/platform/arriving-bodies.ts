import type { FastifyRequest } from 'fastify';
import { networkKey } from './address-key.ts';
import { mostBytesOf } from './body-size.ts';
import { UnreadBytes } from './unread-bytes.ts';

/**
 * Bytes of unfinished short bodies, of one network and in all: two hundred and fifty and a thousand of the
 * longest. A body of a page arrives in milliseconds, so only those that stall come close.
 */
const bounds = { perKey: 4 * 1024 * 1024, inAll: 16 * 1024 * 1024 };

/**
 * Bounds the memory of bodies that are short enough to be read without a place. Each counts with
 * its declared length until it has arrived. Past a bound, the connections of the network with the
 * most bytes are cut, starting with those that have been unfinished for longest.
 */
export class ArrivingBodies {
  readonly #unread = new UnreadBytes(bounds);

  watch(request: FastifyRequest): void {
    const { raw, ip } = request;
    const bytes = mostBytesOf(request);
    const keys = [networkKey(ip)];
    const stop = this.#unread.watch({
      keys: () => keys,
      waiting: () => (raw.complete || raw.socket.destroyed ? 0 : bytes),
      // The time limit of a body ends those that are late.
      isLate: () => false,
      cut: () => raw.socket.destroy(),
    });
    raw.once('end', stop);
    raw.once('close', stop);
    this.#unread.added(bytes);
  }
}
