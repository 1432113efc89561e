import type { z } from 'zod';
import type { User } from '#domain/auth/contract.ts';
import { DomainError, notFound } from '#domain/errors.ts';
import { accountId } from '#domain/ids.ts';
import type { acceptInvitationBody } from '#domain/team/contract.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { insertMember } from '#server/auth/store.ts';
import { brandColumns, brandOf } from '#server/organizations/brand.ts';
import { organizations } from '#server/organizations/tables.ts';
import { tenantOf } from '#server/platform/access.ts';
import type { Database } from '#server/platform/database.ts';
import { isUniqueViolation } from '#server/platform/database-errors.ts';
import { and, eq, isNull } from '#server/platform/drizzle.ts';
import { newId } from '#server/platform/ids.ts';
import { readInvitationToken } from './invitation-token.ts';
import { invitations } from './tables.ts';

/**
 * What an invitation link leads to.
 * @throws DomainError 404 for a link that never was, 410 for one that was used, cancelled or expired
 */
export async function followInvitation(database: Database, token: string) {
  const named = readInvitationToken(token);
  if (!named) throw notFound();
  const asker = { kind: 'system' as const, name: 'invitation', orgId: named.orgId };
  const tenant = tenantOf(database, asker, null);
  const [found] = await tenant.read(({ db }) =>
    db
      .select({
        id: invitations.id,
        email: invitations.email,
        role: invitations.role,
        expiresAt: invitations.expiresAt,
        acceptedAt: invitations.acceptedAt,
        cancelledAt: invitations.cancelledAt,
        organization: brandColumns,
      })
      .from(invitations)
      .innerJoin(organizations, eq(organizations.id, invitations.orgId))
      .where(and(eq(invitations.orgId, named.orgId), eq(invitations.tokenHash, named.hash))),
  );
  if (!found) throw notFound();
  if (found.acceptedAt || found.cancelledAt || found.expiresAt < new Date()) throw over();
  return { tenant, ...found, organization: brandOf(found.organization) };
}

/**
 * Makes the account that was invited. Of several acceptances at once one succeeds.
 * @throws DomainError as `followInvitation`; 400 for another address than the invited one; 409 where
 *   the address has an account already, which is left as it is
 */
export async function acceptInvitation(
  database: Database,
  token: string,
  given: Omit<z.infer<typeof acceptInvitationBody>, 'password'> & { passwordHash: string },
): Promise<User> {
  const invitation = await followInvitation(database, token);
  if (given.email !== invitation.email) {
    const message = 'Please use the email address that was invited.';
    throw new DomainError('invalid', 'other_email', message, {
      errors: [{ path: 'email', message }],
    });
  }
  try {
    return await acceptAsMember(database, invitation, given);
  } catch (error) {
    if (!isUniqueViolation(error, 'accounts_email_key')) throw error;
    // Somebody with the same link may have been faster: then the link is over, and says so.
    await followInvitation(database, token);
    throw new DomainError(
      'conflict',
      'email_taken',
      'This email already has an account. Ask your admin to invite another address.',
    );
  }
}

function acceptAsMember(
  database: Database,
  { id: invitation, role, tenant: asker }: Awaited<ReturnType<typeof followInvitation>>,
  given: { email: string; firstName: string; lastName: string; passwordHash: string },
): Promise<User> {
  const id = newId(accountId);
  // The audit event tells that it was the new member who accepted.
  const member = { kind: 'user' as const, accountId: id, orgId: asker.orgId, role };
  const tenant = tenantOf(database, member, null);
  return tenant.write(async (tx) => {
    const createdAt = new Date();
    // The link reached the address, so the address is theirs.
    const user = await insertMember(tx, role, { id, ...given, emailVerifiedAt: createdAt });
    const accepted = await tx.db
      .update(invitations)
      .set({ acceptedAt: createdAt, acceptedBy: id })
      .where(
        and(
          eq(invitations.orgId, tenant.orgId),
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
      metadata: { accountId: id, role },
    });
    return user;
  });
}

const over = () =>
  new DomainError(
    'gone',
    'invitation_over',
    'This invitation was used, cancelled or has expired. Ask your admin for a new one.',
  );
