import { type Call, type UpdateCallBody, updateCall } from '#domain/calls/contract.ts';
import type { CallId } from '#domain/ids.ts';
import { sendWithTime } from '#web/calls/send-with-time.ts';
import { request } from '#web/platform/api.ts';
import { redirectWhenUnauthorized } from '#web/platform/unauthorized.ts';

/** Changes a call. Without a session, it leads to the sign-in. */
export async function put(id: CallId, body: UpdateCallBody): Promise<Call> {
  try {
    return await request(updateCall, { params: { id }, body });
  } catch (error) {
    redirectWhenUnauthorized(error);
    throw error;
  }
}

/** Ends a call now, or this person's part while other staff are in it. */
export function endCall(
  { id, startedAt }: Pick<Call, 'id' | 'startedAt'>,
  forEveryone: boolean,
): Promise<Call> {
  const start = Date.parse(startedAt);
  return sendWithTime((now) => {
    // This page may have corrected its estimate of the server's clock since the start.
    const end = Math.max(start, now);
    return put(id, {
      endedAt: new Date(end).toISOString(),
      durationSec: Math.round((end - start) / 1000),
      ...(forEveryone ? { endForEveryone: true } : {}),
    });
  });
}
