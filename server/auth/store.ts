import type { SignedInUser, User } from '#domain/auth/contract.ts';
import type { Role } from '#domain/auth/permissions.ts';
import { DomainError } from '#domain/errors.ts';
import { type AccountId, accountId, type OrgId } from '#domain/ids.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { tenantOf } from '#server/platform/access.ts';
import type { Database } from '#server/platform/database.ts';
import { isUniqueViolation } from '#server/platform/database-errors.ts';
import { eq } from '#server/platform/drizzle.ts';
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

/** What signing in needs to know of an address; null where nobody has it. */
export async function findAccountByEmail(database: Database, email: string) {
  const [account] = await database.read('outside', ({ db }) =>
    db
      .select({ id: accounts.id, passwordHash: accounts.passwordHash })
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

export async function findUser(database: Database, id: AccountId): Promise<SignedInUser | null> {
  return database.read('outside', async ({ db, run }) => {
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
 * Makes an account and its organisation, the registrant its admin. Without a name the organisation
 * is called after the person (decisions.md, People and organisations).
 * @throws DomainError 409 when the address has an account
 */
export async function registerAccount(
  database: Database,
  account: NewAccount,
  address: string | null,
): Promise<SignedInUser> {
  const id = newId(accountId);
  const { email, passwordHash, firstName, lastName } = account;
  const name = account.orgName || `${firstName} ${lastName}'s team`;
  const user = { id, email, firstName, lastName, profileImageUrl: null, language: null };
  const tenant = newTenant(database, id, address);
  try {
    await tenant.write(async (tx) => {
      await tx.db
        .insert(accounts)
        .values({ id, email, passwordHash, firstName, lastName, createdAt: new Date() });
      await insertOrganization(tx, id, name);
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
  return { ...user, role: 'ORGADMIN', orgId: tenant.orgId };
}

export interface NewMember {
  orgId: OrgId;
  role: Role;
  email: string;
  passwordHash: string;
  firstName: string;
  lastName: string;
}

/** Makes an account that belongs to an organisation from the start. */
export async function addMember(database: Database, member: NewMember): Promise<User> {
  const { orgId: organization, role, email, passwordHash, firstName, lastName } = member;
  const id = newId(accountId);
  const createdAt = new Date();
  const system = { kind: 'system' as const, name: 'add-member', orgId: organization };
  await tenantOf(database, system, null).write(async (tx) => {
    await tx.db
      .insert(accounts)
      .values({ id, email, passwordHash, firstName, lastName, createdAt });
    await tx.db.insert(memberships).values({ orgId: organization, accountId: id, role, createdAt });
    await recordEvent(tx, { action: 'MEMBER_ADDED', entity: 'account', entityId: id });
  });
  return { id, email, firstName, lastName, profileImageUrl: null, role, orgId: organization };
}
