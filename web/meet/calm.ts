import type { TransportSwitch } from '#web/media/transport-switch.ts';
import type { Frame } from './frame.ts';

/** Returns a question for the heartbeat (live/heartbeat.ts), whose answer the page around the meeting gets, too. */
export function calmWhileMediaArrives(
  transports: Pick<TransportSwitch, 'receivesDirectly'>,
  frame: Pick<Frame, 'post'>,
): () => boolean {
  let arrived = false;
  return () => {
    const arrives = transports.receivesDirectly;
    if (arrives !== arrived) frame.post({ type: 'media', arrives });
    arrived = arrives;
    return arrives;
  };
}
