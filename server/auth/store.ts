import type { User } from '#domain/auth/contract.ts';
import type { Role } from '#domain/auth/permissions.ts';
import { DomainError } from '#domain/errors.ts';
import { type AccountId, accountId, type OrgId } from '#domain/ids.ts';
import type { Language } from '#domain/languages.ts';
import type { TenantConnection } from '#server/platform/access.ts';
import type { Database } from '#server/platform/database.ts';
import { isUniqueViolation } from '#server/platform/database-errors.ts';
import { eq, sql } from '#server/platform/drizzle.ts';
import { newId } from '#server/platform/ids.ts';
import { insertOrganization, newTenant } from './create-organization.ts';
import { accounts, memberships } from './tables.ts';

export interface NewAccount {
  email: string;
  passwordHash: string;
  firstName: string;
  lastName: string;
  orgName: string | undefined;
}

/** Returns the sign-in data of an address; null if it has no account. */
export async function findAccountByEmail(database: Database, email: string) {
  const [account] = await database.connection('outside', ({ db }) =>
    db
      .select({
        id: accounts.id,
        passwordHash: accounts.passwordHash,
        hasSecondFactor: sql<boolean>`exists (select 1 from totp_factors f
          where f.account_id = ${accounts.id} and f.confirmed_at is not null)`,
      })
      .from(accounts)
      .where(eq(accounts.email, email)),
  );
  return account ?? null;
}

interface MembershipRow {
  org_id: OrgId;
  role: NonNullable<User['role']>;
}
const membershipOf = { name: 'find_membership', text: 'select * from find_membership($1)' };

/** Returns an account with its membership, regardless of the caller; null if it does not exist. */
export async function findUser(
  database: Database,
  id: AccountId,
): Promise<(User & { language: Language | null }) | null> {
  return database.connection('outside', async ({ db, run }) => {
    const [found, [membership]] = await Promise.all([
      db.select().from(accounts).where(eq(accounts.id, id)),
      run<MembershipRow>(membershipOf, [id]),
    ]);
    const account = found[0];
    if (!account) return null;
    return {
      id: account.id,
      email: account.email,
      firstName: account.firstName,
      lastName: account.lastName,
      profileImageUrl: account.profileImageUrl,
      language: account.language,
      role: membership?.role ?? null,
      orgId: membership?.org_id ?? null,
    };
  });
}

/**
 * Creates an account and its organization, with the account as admin. Without a name, the organization is
 * named after the person (docs/product-decisions.md, People and organizations).
 * @param then what the account must not exist without, in the same transaction
 * @throws DomainError 409 if the address has an account
 */
export async function registerAccount(
  database: Database,
  account: NewAccount,
  address: string | null,
  then: (tx: TenantConnection, id: AccountId) => Promise<void> = async () => undefined,
): Promise<AccountId> {
  const id = newId(accountId);
  const { email, passwordHash, firstName, lastName } = account;
  const name = account.orgName || `${firstName} ${lastName}'s team`;
  const tenant = newTenant(database, id, address, 'own-proof');
  try {
    await tenant.transaction(async (tx) => {
      await tx.db
        .insert(accounts)
        .values({ id, email, passwordHash, firstName, lastName, createdAt: new Date() });
      await insertOrganization(tx, id, name);
      await then(tx, id);
    });
  } catch (error) {
    if (isUniqueViolation(error, 'accounts_email_key')) {
      throw new DomainError(
        'conflict',
        'email_taken',
        'This email already has an account. Sign in instead.',
      );
    }
    throw error;
  }
  return id;
}

/** A new member's account. Without a password, it signs in by another method. */
export interface NewMember {
  id: AccountId;
  email: string;
  passwordHash: string | null;
  firstName: string;
  lastName: string;
  /** Set if the person has proved that the address is theirs. */
  emailVerifiedAt: Date | null;
  /** The account came by an invitation link that is known beyond the mailbox. */
  cameByCopiedLink?: boolean;
}

/** Inserts an account that belongs to the tenant's organization from the start. */
export async function insertMember(
  tx: TenantConnection,
  role: Role,
  { cameByCopiedLink = false, ...account }: NewMember,
): Promise<User> {
  const { orgId } = tx.tenant;
  const { id, email, firstName, lastName } = account;
  const createdAt = new Date();
  await tx.db.insert(accounts).values({ ...account, createdAt });
  await tx.db
    .insert(memberships)
    .values({ orgId, accountId: id, role, cameByCopiedLink, createdAt });
  return { id, email, firstName, lastName, profileImageUrl: null, role, orgId };
}
