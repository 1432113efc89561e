import type { Role } from '#domain/auth/permissions.ts';
import type { AccountId, OrgId } from '#domain/ids.ts';
import { tenantOf } from '#server/platform/access.ts';
import type { Database, Statement } from '#server/platform/database.ts';
import { changeRole } from '#server/team/member-store.ts';

const accountByEmail: Statement = {
  name: 'operator_account_by_email',
  text: `select a.id, m.org_id as "orgId", m.role
    from accounts a left join memberships m on m.account_id = a.id where a.email = $1`,
};

/**
 * Makes somebody SUPERADMIN in their organisation: the first one can be made in no other way.
 * @returns what was done, as a sentence. @throws an Error that says what to do
 */
export async function grantSuperadmin(database: Database, given: string): Promise<string> {
  const email = given.trim().toLowerCase();
  const [found] = await database.read('outside', ({ run }) =>
    run<{ id: AccountId; orgId: OrgId | null; role: Role | null }>(accountByEmail, [email]),
  );
  if (!found) {
    throw new Error(`Nobody has the email ${email}. Let them sign up first, or be invited.`);
  }
  const { id, orgId, role } = found;
  if (orgId === null) {
    throw new Error(`${email} belongs to no organization. Let them create one, or invite them.`);
  }
  if (role === 'SUPERADMIN') return `${email} is SUPERADMIN already; nothing was changed.`;
  const operator = { kind: 'system' as const, name: 'operator', orgId };
  await changeRole(tenantOf(database, operator, null), id, 'SUPERADMIN');
  return `${email} is SUPERADMIN now (was ${role}).`;
}
