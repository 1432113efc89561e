import { z } from 'zod';
import { orgId, roomId } from '#domain/ids.ts';
import type { LiveBus } from '#server/platform/live-bus.ts';

/** In a room, a recording or somebody's consent to it has changed, or what could be recorded. */
const recordingChange = z.object({ orgId, roomId });
export type RecordingChange = z.infer<typeof recordingChange>;

const channel = 'recordings';

/** Publishes a change. Call it after the commit, because subscribers read what is to be recorded. */
export function tellRecordingChange(bus: LiveBus, change: RecordingChange): void {
  bus.publish(channel, change);
}

/**
 * Subscribes to the changes of all processes.
 * @returns a function that stops listening
 */
export function listenToRecordings(
  bus: LiveBus,
  listen: (change: RecordingChange) => void,
): () => void {
  return bus.subscribe(channel, (message) => listen(recordingChange.parse(message))).stop;
}
