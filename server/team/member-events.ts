import { z } from 'zod';
import { roles } from '#domain/auth/permissions.ts';
import { accountId, orgId } from '#domain/ids.ts';
import type { LiveBus } from '#server/platform/live-bus.ts';

const memberChange = z.object({ orgId, accountId, role: z.enum(roles).nullable() });
/** A committed change of what a member may do; `role` is null for somebody who was removed. */
export type MemberChange = z.infer<typeof memberChange>;

const channel = 'members';

/** To call once the change is committed: who hears it may look the member up. */
export function tellMemberChange(bus: LiveBus, change: MemberChange): void {
  bus.publish(channel, change);
}

/** Hears the changes that any process made. @returns how to stop listening */
export function listenToMembers(bus: LiveBus, listen: (change: MemberChange) => void): () => void {
  return bus.subscribe(channel, (message) => listen(memberChange.parse(message)));
}
