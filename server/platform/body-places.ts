import type { FastifyRequest, RouteOptions } from 'fastify';
import { patienceOf } from './body-patience.ts';
import { mostBytesOf, sizeOf } from './body-size.ts';
import { counted } from './counted-waits.ts';
import { FairQueue } from './fair-queue.ts';

/** A request that waits has up to 64 KB of its body in the socket's buffer. */
const waiting = { mostWaiting: 50, mostInAll: 200 };
/**
 * Bodies above 16 KB that are read and handled at a time: `atOnce` in bytes, `perKey` in bodies of
 * one organization or network. A long body is held in memory several times over while it is parsed
 * and handled. Medium bodies have their own places, because they may take longer to arrive.
 */
const queues = {
  medium: new FairQueue({ atOnce: 8 * 1024 * 1024, perKey: 4, ...waiting }),
  long: new FairQueue({ atOnce: 32 * 1024 * 1024, perKey: 1, ...waiting }),
};

/** The place of a body among those being read and handled. */
class Place {
  #free: (() => void) | undefined;
  readonly freed = new Promise<void>((free) => {
    this.#free = free;
  });
  isHandled = false;

  free(): void {
    this.#free?.();
  }
}
/** Bodies that wait for a place. */
const waits = { medium: { count: 0 }, long: { count: 0 } };
const places = new WeakMap<FastifyRequest, Place>();
const placing = new WeakSet<object>();

/** Places of a route of its own. Once others wait for them, bodies must arrive faster. */
interface OwnPlaces {
  /** @param weight places that it takes, or bytes */
  run<T>(key: string, task: () => Promise<T>, weight: number): Promise<T>;
  isCrowded(): boolean;
}

/**
 * Returns the `onRequest` hook of a route whose body may exceed 16 KB. The body is not read before
 * `keyOf` has accepted the request and it is the turn of its key: the organization that sends it,
 * or the network of a sender without an account.
 * @param own places of this route's long bodies, where they must not wait for those of others
 */
export function placeBy(
  keyOf: (request: FastifyRequest) => Promise<string> | string,
  own?: OwnPlaces,
) {
  const hook = async (request: FastifyRequest) => {
    const key = await keyOf(request);
    await waitToRead(request, key, own);
  };
  placing.add(hook);
  return hook;
}

export const takesPlace = ({ onRequest }: Pick<RouteOptions, 'onRequest'>): boolean =>
  [onRequest].flat().some((hook) => hook !== undefined && placing.has(hook));

/**
 * Resolves when the request's body may be read. Its place is taken until it is handled, however
 * long its answer takes to send. The time limit of the body starts then.
 * @throws DomainError 429 when too many are waiting
 */
function waitToRead(request: FastifyRequest, key: string, own?: OwnPlaces): Promise<void> {
  const size = sizeOf(request);
  if (size === 'short') return Promise.resolve();
  const patience = patienceOf(request);
  patience?.stop();
  const { socket } = request.raw;
  const place = new Place();
  places.set(request, place);
  // A handler whose client has disconnected still holds its body.
  const gone = () => !place.isHandled && place.free();
  socket.once('close', gone);
  const isCrowded = () => (own ? own.isCrowded() : waits[size].count > 0);
  return new Promise<void>((read, refuse) => {
    const task = () => {
      if (socket.destroyed) place.free();
      patience?.begin(isCrowded);
      read();
      return place.freed;
    };
    const bytes = mostBytesOf(request);
    const inShared = (waited: () => void) =>
      queues[size].run(
        key,
        () => {
          waited();
          return task();
        },
        bytes,
      );
    (own ? own.run(key, task, bytes) : counted(waits[size], inShared))
      .catch(refuse)
      .finally(() => socket.off('close', gone));
  });
}

/** Handles a request and then frees the place of its body. */
export async function holdPlace<T>(request: FastifyRequest, handle: () => Promise<T>): Promise<T> {
  const place = places.get(request);
  if (!place) return handle();
  place.isHandled = true;
  try {
    return await handle();
  } finally {
    place.free();
  }
}

/** Frees the place of a request that was refused before it was handled. */
export function freeUnhandled(request: FastifyRequest): void {
  const place = places.get(request);
  if (place && !place.isHandled) place.free();
}
