import { ApiError } from '#web/platform/api.ts';
import { serverNow } from '#web/platform/clock.ts';

/**
 * Sends a request that carries the server's time, in milliseconds since 1970, as this page
 * estimates it. If the server refuses that time, its answer has corrected the estimate: sends once
 * more.
 */
export async function sendWithTime<Answer>(
  send: (now: number) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await send(serverNow());
  } catch (error) {
    if (!isRefusedTime(error)) throw error;
    return send(serverNow());
  }
}

const isRefusedTime = (error: unknown) =>
  error instanceof ApiError &&
  error.status === 400 &&
  error.problem?.errors?.some(({ path }) => path === 'startedAt' || path === 'endedAt');
