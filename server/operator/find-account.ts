import type { Role } from '#domain/auth/permissions.ts';
import type { AccountId, OrgId } from '#domain/ids.ts';
import type { Database, Statement } from '#server/platform/database.ts';

const accountByEmail: Statement = {
  name: 'operator_account_by_email',
  text: `select a.id, a.email, m.org_id as "orgId", m.role,
      a.email_verified_at is null
        and exists (select from email_verifications v where v.account_id = a.id) as "mustVerify"
    from accounts a left join memberships m on m.account_id = a.id where a.email = $1`,
};

export interface FoundAccount {
  id: AccountId;
  email: string;
  orgId: OrgId | null;
  role: Role | null;
  /** The owner of the address was asked to confirm it, and has not. */
  mustVerify: boolean;
}

/** Returns the account of this email. @throws an Error that states what to do if there is none */
export async function findAccount(database: Database, given: string): Promise<FoundAccount> {
  const email = given.trim().toLowerCase();
  const [found] = await database.connection('outside', ({ run }) =>
    run<FoundAccount>(accountByEmail, [email]),
  );
  if (!found) {
    throw new Error(`Nobody has the email ${email}. Let them sign up first, or be invited.`);
  }
  return found;
}
