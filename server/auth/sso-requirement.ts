import { DomainError } from '#domain/errors.ts';
import type { AccountId } from '#domain/ids.ts';
import type { TenantConnection } from '#server/platform/access.ts';
import type { Database, Statement } from '#server/platform/database.ts';

const requiredOf: Statement = {
  name: 'sso_required_of',
  text: 'select sso_required_of($1) as required',
};
/** Returns whether this account may sign in only by single sign-on. */
export async function mustUseSso(database: Database, account: AccountId): Promise<boolean> {
  const [found] = await database.connection('outside', ({ run }) =>
    run<{ required: boolean }>(requiredOf, [account]),
  );
  return found?.required ?? false;
}

const lockRequirement: Statement = {
  name: 'lock_sso_requirement',
  text: 'select 1 from sso_policies where org_id = $1 and required_at is not null for update',
};
const emergencyAdmins: Statement = {
  name: 'emergency_admins',
  text: `select 1 from sso_break_glass b
    join memberships m on m.org_id = b.org_id and m.account_id = b.account_id
    where b.org_id = $1 and m.role = 'ORGADMIN' limit 1`,
};
/**
 * Ensures that an organization which requires single sign-on keeps an admin who can sign in without it. Call
 * it after a change of members, within the transaction of the change.
 * @returns whether single sign-on is required
 * @throws DomainError 409, which rolls the change back
 */
export async function keepBreakGlass({ run, tenant }: TenantConnection): Promise<boolean> {
  const required = await run(lockRequirement, [tenant.orgId]);
  if (required.length === 0) return false;
  const admins = await run(emergencyAdmins, [tenant.orgId]);
  if (admins.length > 0) return true;
  throw new DomainError(
    'conflict',
    'no_break_glass',
    'While single sign-on is required, you need at least one emergency admin. Choose another one first.',
  );
}
