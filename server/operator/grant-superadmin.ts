import { tenantOf } from '#server/platform/access.ts';
import type { Database } from '#server/platform/database.ts';
import { changeRole } from '#server/team/member-store.ts';
import { findAccount } from './find-account.ts';

/**
 * Makes a member SUPERADMIN in their organization. There is no other way to create the first one. Asks before
 * it does so for an address that was not confirmed: a takeover by its owner undoes nothing of a SUPERADMIN.
 * @param ask shows the risk, and returns whether to go on
 * @returns what was done, as a sentence
 * @throws an Error that states what to do
 */
export async function grantSuperadmin(
  database: Database,
  given: string,
  ask: (question: string) => Promise<boolean>,
): Promise<string> {
  const { id, email, orgId, role, mustVerify } = await findAccount(database, given);
  if (orgId === null) {
    throw new Error(`${email} belongs to no organization. Let them create one, or invite them.`);
  }
  if (role === 'SUPERADMIN') return `${email} is SUPERADMIN already; nothing was changed.`;
  const question = `${email} was never confirmed, so anyone may have set up this account with it. Have its owner follow the link in the confirmation mail first. Do you want to make it SUPERADMIN all the same?`;
  if (mustVerify && !(await ask(question))) return 'Nothing was changed.';
  const operator = { kind: 'system' as const, name: 'operator', orgId };
  await changeRole(tenantOf(database, operator, null), id, 'SUPERADMIN');
  return `${email} is SUPERADMIN now (was ${role}).`;
}
