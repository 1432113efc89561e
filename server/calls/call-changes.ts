import { z } from 'zod';
import type { OrgId } from '#domain/ids.ts';
import type { LiveBus, Subscription } from '#server/platform/live-bus.ts';

// The event says that something has changed: those who hear it read the database.
const callChange = z.object({});

const channelOf = (orgId: OrgId) => `calls:${orgId}`;

/** Publishes that a call of the organization has begun or ended, or that its people have changed. Call it after the commit. */
export function tellCallChange(bus: LiveBus, orgId: OrgId): void {
  bus.publish(channelOf(orgId), {});
}

/** Subscribes to the changes of an organization's calls, on all processes. */
export function listenToCalls(bus: LiveBus, orgId: OrgId, listen: () => void): Subscription {
  return bus.subscribe(channelOf(orgId), (message) => {
    callChange.parse(message);
    listen();
  });
}
