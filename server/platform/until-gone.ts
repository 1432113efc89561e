import type { FastifyRequest } from 'fastify';

/** Waits for something with a signal that is aborted when the client closes its connection. */
export async function untilGone<T>(
  { raw }: Pick<FastifyRequest, 'raw'>,
  wait: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const gone = new AbortController();
  // With a reason, since an Error would be made for each.
  const abort = () => gone.abort('closed');
  raw.socket.once('close', abort);
  try {
    return await wait(gone.signal);
  } finally {
    raw.socket.off('close', abort);
  }
}
