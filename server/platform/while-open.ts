import type { FastifyRequest } from 'fastify';
import { tooManyWaiting } from './fair-queue.ts';

/**
 * Waits for a turn of a request, until its connection closes.
 * @param wait returns false if the signal was aborted first
 * @throws DomainError 429, which no one receives when the connection is closed
 */
export async function whileOpen(
  { raw: { socket } }: FastifyRequest,
  wait: (open: AbortSignal) => Promise<boolean>,
): Promise<void> {
  const gone = new AbortController();
  // With a reason, since an Error would be made for each.
  const abort = () => gone.abort('closed');
  socket.once('close', abort);
  try {
    if (socket.destroyed || !(await wait(gone.signal))) throw tooManyWaiting();
  } finally {
    socket.off('close', abort);
  }
}
