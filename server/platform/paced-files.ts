import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { Config } from '#server/config.ts';
import { addressKey } from './address-key.ts';
import { PacedTurns } from './paced-turns.ts';

/** Bytes of the files that all addresses together download, scaled like the rate limits. */
const fileBytes = { burst: 32 * 1024 * 1024, perSecond: 32 * 1024 * 1024 };
/** Bytes of an answer that waits for its turn. Smaller ones cost no more than other requests. */
const pacedFrom = 64 * 1024;

/**
 * Bounds the rate at which the routes of `http` send large files, whose requesters have no account.
 * Network addresses take turns, so that none can use up the rate. A request that gets no file (HEAD,
 * 304) never waits, and one for a range counts with its range.
 */
export function paceFiles(http: FastifyInstance, config: Config): void {
  const turns = new PacedTurns(fileBytes, config.RATE_LIMIT_SCALE);
  http.addHook('onSend', async (request, reply, payload) => {
    const bytes = Number(reply.getHeader('content-length') ?? 0);
    if (!(payload instanceof Readable) || request.method === 'HEAD' || bytes < pacedFrom) {
      return payload;
    }
    const closed = new AbortController();
    const close = () => closed.abort();
    let failure: Error | null = null;
    // The file opens during the wait. Without a listener, its error would end the process.
    payload.once('error', (error) => {
      failure = error;
    });
    reply.raw.once('close', close);
    if (reply.raw.destroyed) close();
    await turns.turn('files', addressKey(request.ip), closed.signal, bytes);
    reply.raw.off('close', close);
    if (failure) throw failure;
    return payload;
  });
}
