import { tenantOf } from '#server/platform/access.ts';
import type { Database } from '#server/platform/database.ts';
import { changeRole } from '#server/team/member-store.ts';
import { findAccount } from './find-account.ts';

/**
 * Makes a member SUPERADMIN in their organization. There is no other way to create the first one.
 * @returns what was done, as a sentence
 * @throws an Error that states what to do
 */
export async function grantSuperadmin(database: Database, given: string): Promise<string> {
  const { id, email, orgId, role } = await findAccount(database, given);
  if (orgId === null) {
    throw new Error(`${email} belongs to no organization. Let them create one, or invite them.`);
  }
  if (role === 'SUPERADMIN') return `${email} is SUPERADMIN already; nothing was changed.`;
  const operator = { kind: 'system' as const, name: 'operator', orgId };
  await changeRole(tenantOf(database, operator, null), id, 'SUPERADMIN');
  return `${email} is SUPERADMIN now (was ${role}).`;
}
