import type { Role } from '#domain/auth/permissions.ts';
import type { AccountId, SsoConnectionId } from '#domain/ids.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { accounts, memberships } from '#server/auth/tables.ts';
import type { TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { and, eq, isNull } from '#server/platform/drizzle.ts';
import { hasAnAdmin } from '#server/team/member-store.ts';
import { SsoRefusal } from './asserted.ts';
import { ssoBreakGlass } from './tables.ts';
import { takeIn } from './take-in.ts';

const shutOut: Statement = {
  name: 'is_shut_out_by_directory',
  // By its own addresses, too: the account of someone whom the directory may not move keeps a former one. Directories
  // write them as they like. Also by former identities: the provider may send another address for the same person.
  text: `select 1 from scim_users
    where org_id = $1 and deactivated_at is not null and (account_id = $2 or user_name_key = lower($3)
      or account_id in (select account_id from former_identities
        where connection_id = $4 and identity_hash = hash_of_identity($4, $5))
      or exists (select from jsonb_path_query(attributes, 'lax $.emails[*].value') value
        where lower(trim(value #>> '{}')) = lower($3))) limit 1`,
};

/** The address that an identity provider vouched for, and the server's public URL, for links in mails. */
interface Proved {
  email: string;
  base: string;
}

/** A person at an identity provider. */
interface Identity {
  connection: SsoConnectionId;
  subject: string;
}

/**
 * Makes a person a member after the identity provider authenticated them.
 * @param isNew whether the account was just created
 * @throws SsoRefusal if the organization's directory has deactivated the person, or the last member has left
 * the organization
 */
export async function joinOrganization(
  tx: TenantConnection,
  id: AccountId,
  role: Role,
  { email, base, isNew, connection, subject }: Proved & Identity & { isNew: boolean },
): Promise<void> {
  const { orgId } = tx.tenant;
  if ((await tx.run(shutOut, [orgId, id, email, connection, subject])).length > 0)
    throw new SsoRefusal('account', 'Your directory has deactivated this person.');
  if (!isNew) {
    await takeIn(tx, id, base);
    await markVerified(tx, id, email);
  }
  await tx.db.insert(memberships).values({ orgId, accountId: id, role, createdAt: new Date() });
  if (!(await hasAnAdmin(tx)))
    throw new SsoRefusal('account', 'This organization has no admin any more.');
  await recordEvent(tx, {
    action: 'MEMBER_ADDED',
    entity: 'account',
    entityId: id,
    metadata: { role },
  });
}

/**
 * Verifies a member's address. The first verification removes the account's earlier credentials, which
 * another person may have set up. Emergency admins keep theirs, because they sign in when single sign-on is
 * down.
 */
export async function proveAddress(
  tx: TenantConnection,
  id: AccountId,
  { email, base }: Proved,
): Promise<void> {
  if (!(await markVerified(tx, id, email))) return;
  const [emergency] = await tx.db
    .select({ id: ssoBreakGlass.accountId })
    .from(ssoBreakGlass)
    .where(and(eq(ssoBreakGlass.orgId, tx.tenant.orgId), eq(ssoBreakGlass.accountId, id)));
  if (!emergency) await takeIn(tx, id, base);
}

/** @returns whether this was the first verification of the address */
async function markVerified(tx: TenantConnection, id: AccountId, email: string): Promise<boolean> {
  const verified = await tx.db
    .update(accounts)
    .set({ emailVerifiedAt: new Date() })
    .where(and(eq(accounts.id, id), eq(accounts.email, email), isNull(accounts.emailVerifiedAt)))
    .returning({ id: accounts.id });
  return verified.length > 0;
}
