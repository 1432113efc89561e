import { z } from 'zod';
import { type OrgId, roomId } from '#domain/ids.ts';
import type { LiveBus, Subscription } from '#server/platform/live-bus.ts';

/**
 * Says that something has changed: those who receive it read the database. `guestsIn` is a room in which guests may
 * be while no call runs, which only the roster knows.
 */
const callChange = z.object({ guestsIn: z.optional(roomId) });
export type CallChange = z.infer<typeof callChange>;

const channelOf = (orgId: OrgId) => `calls:${orgId}`;

/**
 * Publishes that a call of the organization has begun or ended, or that people have joined or left. Call it after the
 * commit.
 */
export function tellCallChange(bus: LiveBus, orgId: OrgId, change: CallChange = {}): void {
  bus.publish(channelOf(orgId), change);
}

/** Subscribes to the changes of an organization's calls, on all processes. */
export function listenToCalls(
  bus: LiveBus,
  orgId: OrgId,
  listen: (change: CallChange) => void,
): Subscription {
  return bus.subscribe(channelOf(orgId), (message) => listen(callChange.parse(message)));
}
