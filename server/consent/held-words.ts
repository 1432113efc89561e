import type { CallId } from '#domain/ids.ts';
import type { TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';

const heldRemoval: Statement = {
  name: 'held_removal_of_call',
  text: 'select from held_removals where org_id = $1 and call_id = $2 limit 1',
};

/**
 * The condition that no removal of a row's person waits for a legal hold: what is kept for it leaves the organization
 * no more.
 * @param row a table that has org_id, call_id, and participant_id
 */
export const isNotHeld = (row: string) => `not exists (select from held_removals h
  where h.org_id = ${row}.org_id and h.call_id = ${row}.call_id and h.participant_id = ${row}.participant_id)`;

/**
 * Whether a legal hold keeps words of a person who withdrew. What is made of a call's words must not leave then: a
 * sentence about one person may come from what another one said.
 */
export const hasHeldWords = async ({ run, tenant }: TenantConnection, call: CallId) =>
  (await run(heldRemoval, [tenant.orgId, call])).length > 0;
