import type { FastifyReply } from 'fastify';

/** Returns a signal that is aborted when the client closes the connection before it has the answer. */
export function requesterLeft({ raw }: FastifyReply): AbortSignal {
  const abort = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) abort.abort();
  });
  return abort.signal;
}
