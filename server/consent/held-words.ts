import type { CallId } from '#domain/ids.ts';
import type { TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';

const heldRemoval: Statement = {
  name: 'held_removal_of_call',
  text: 'select from held_removals where org_id = $1 and call_id = $2 limit 1',
};

/**
 * Whether a legal hold keeps words of a person who withdrew. What is made of a call's words must not leave then: a
 * sentence about one person may come from what another one said.
 */
export const hasHeldWords = async ({ run, tenant }: TenantConnection, call: CallId) =>
  (await run(heldRemoval, [tenant.orgId, call])).length > 0;
