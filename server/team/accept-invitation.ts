import type { z } from 'zod';
import type { User } from '#domain/auth/contract.ts';
import type { Role } from '#domain/auth/permissions.ts';
import { DomainError, notFound } from '#domain/errors.ts';
import { type AccountId, accountId } from '#domain/ids.ts';
import type { acceptInvitationBody } from '#domain/team/contract.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { leaveAccount } from '#server/auth/leave-account.ts';
import { holdOwnDomain, refuseOwnedDomain } from '#server/auth/refuse-owned-domain.ts';
import { insertMember } from '#server/auth/store.ts';
import { brandColumns, brandOf } from '#server/organizations/brand.ts';
import { organizations } from '#server/organizations/tables.ts';
import { type Tenant, type TenantConnection, tenantOf } from '#server/platform/access.ts';
import type { Authority } from '#server/platform/authority.ts';
import type { Database, Statement } from '#server/platform/database.ts';
import { isUniqueViolation } from '#server/platform/database-errors.ts';
import { and, eq, isNull, or, sql } from '#server/platform/drizzle.ts';
import { newId } from '#server/platform/ids.ts';
import { readOrganizationToken } from '#server/platform/tokens.ts';
import type { Services } from '#server/services.ts';
import { invitationToken } from './invitation-token.ts';
import { reclaimAccount } from './reclaim-account.ts';
import { invitations } from './tables.ts';

/** True if the inviting organization owns the address's domain, which lets it reclaim unverified accounts. */
const ownsDomain = sql`sso_organization_of_domain(split_part(${invitations.email}, '@', 2)) = ${invitations.orgId}`;

/**
 * Returns the open invitation that a link belongs to.
 * @throws DomainError 404 for an unknown link, 410 for one that was used, canceled, or has expired
 */
export async function followInvitation(database: Database, token: string) {
  const named = readOrganizationToken(token, invitationToken);
  if (!named) throw notFound();
  const asker = { kind: 'system' as const, name: 'invitation', orgId: named.orgId };
  const tenant = tenantOf(database, asker, null);
  const [found] = await tenant.connection(({ db }) =>
    db
      .select({
        id: invitations.id,
        email: invitations.email,
        role: invitations.role,
        expiresAt: invitations.expiresAt,
        acceptedAt: invitations.acceptedAt,
        cancelledAt: invitations.cancelledAt,
        isMailed: sql<boolean>`${invitations.mailedTokenHash} is not distinct from ${named.hash}`,
        hasAccount: sql<boolean>`exists (select 1 from accounts a where a.email = ${invitations.email}
          and (a.email_verified_at is not null or ${ownsDomain} is not true))`,
        organization: brandColumns,
      })
      .from(invitations)
      .innerJoin(organizations, eq(organizations.id, invitations.orgId))
      .where(
        and(
          eq(invitations.orgId, named.orgId),
          or(eq(invitations.tokenHash, named.hash), eq(invitations.mailedTokenHash, named.hash)),
        ),
      ),
  );
  if (!found) throw notFound();
  if (found.acceptedAt || found.cancelledAt || found.expiresAt < new Date()) throw over();
  return { tenant, ...found, organization: brandOf(found.organization) };
}

type AskToVerify = (tx: TenantConnection, user: User) => Promise<void>;

export type FollowedInvitation = Awaited<ReturnType<typeof followInvitation>>;

/**
 * Creates the account that was invited. Only one of several concurrent acceptances succeeds.
 * @param askToVerify asks to verify the address, in the same transaction, unless the link has: only the mailed one does
 * @throws DomainError as `followInvitation`; 400 for an address other than the invited one; 403 if another
 * organization has verified its domain in the meantime; 409 if the address has an account, which stays
 * unchanged: its owner joins while signed in
 */
export async function acceptInvitation(
  services: Pick<Services, 'database'>,
  token: string,
  given: Omit<z.infer<typeof acceptInvitationBody>, 'password'> & { passwordHash: string },
  askToVerify: AskToVerify,
): Promise<User> {
  const { database } = services;
  const invitation = await followInvitation(database, token);
  if (given.email !== invitation.email) {
    const message = 'Please use the invited email address.';
    throw new DomainError('invalid', 'other_email', message, {
      errors: [{ path: 'email', message }],
    });
  }
  if (!invitation.hasAccount) await reclaimAccount(services, invitation.tenant, given.email);
  try {
    return await acceptAsMember(database, invitation, given, askToVerify);
  } catch (error) {
    if (!isUniqueViolation(error, 'accounts_email_key')) throw error;
    // A concurrent request may have used the link: then this throws that the link is over.
    await followInvitation(database, token);
    throw new DomainError(
      'conflict',
      'email_taken',
      'This email already has an account. Sign in to accept.',
    );
  }
}

function acceptAsMember(
  database: Database,
  invitation: FollowedInvitation,
  given: { email: string; firstName: string; lastName: string; passwordHash: string },
  askToVerify: AskToVerify,
): Promise<User> {
  const id = newId(accountId);
  const { role, isMailed, tenant: asker } = invitation;
  const tenant = newMemberTenant(database, asker, { accountId: id, role }, 'own-proof');
  return tenant.transaction(async (tx) => {
    const emailVerifiedAt = isMailed ? new Date() : null;
    await deleteReclaimed(tx, given.email);
    const cameByCopiedLink = !isMailed;
    const user = await insertMember(tx, role, { id, ...given, emailVerifiedAt, cameByCopiedLink });
    await markInvitationAccepted(tx, invitation, { accountId: id, role });
    if (!isMailed) await askToVerify(tx, user);
    return user;
  });
}

const lockReclaimed: Statement = {
  name: 'lock_reclaimed_account',
  text: `select a.id from accounts a
    where a.email = $1 and a.email_verified_at is null
      and sso_organization_of_domain(split_part(a.email, '@', 2)) = $2
      and not exists (select 1 from find_membership(a.id)) for update`,
};

/**
 * Deletes the account that the owner of the domain has reclaimed, so that the person can create their own. Its
 * former organization cannot delay that by rows that it has locked.
 */
async function deleteReclaimed(tx: TenantConnection, email: string): Promise<void> {
  if (!(await holdOwnDomain(tx, email))) return;
  const [reclaimed] = await tx.run<{ id: AccountId }>(lockReclaimed, [email, tx.tenant.orgId]);
  if (reclaimed) await leaveAccount(tx, reclaimed.id);
}

/** Returns a tenant that acts as the new member, so that the audit event names who accepted. */
export function newMemberTenant(
  database: Database,
  { orgId, address }: Pick<Tenant, 'orgId' | 'address'>,
  member: { accountId: AccountId; role: Role },
  by: Authority,
): Tenant {
  return tenantOf(database, { kind: 'user', orgId, ...member }, address, by);
}

/**
 * Marks an open invitation as accepted, with its audit event.
 * @throws DomainError 410; 403 `domain_owned` if another organization has verified the domain in the meantime
 */
export async function markInvitationAccepted(
  tx: TenantConnection,
  { id: invitation, email }: Pick<FollowedInvitation, 'id' | 'email'>,
  member: { accountId: AccountId; role: Role },
): Promise<void> {
  await refuseOwnedDomain(tx, email, tx.tenant.orgId);
  const accepted = await tx.db
    .update(invitations)
    .set({ acceptedAt: new Date(), acceptedBy: member.accountId })
    .where(
      and(
        eq(invitations.orgId, tx.tenant.orgId),
        eq(invitations.id, invitation),
        isNull(invitations.acceptedAt),
        isNull(invitations.cancelledAt),
      ),
    )
    .returning({ id: invitations.id });
  if (accepted.length === 0) throw over();
  await recordEvent(tx, {
    action: 'INVITATION_ACCEPTED',
    entity: 'invitation',
    entityId: invitation,
    metadata: { ...member },
  });
}

const over = () =>
  new DomainError(
    'gone',
    'invitation_over',
    'This invitation was used, canceled or has expired. Ask your admin for a new one.',
  );
