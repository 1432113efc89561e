import type { Role } from '#domain/auth/permissions.ts';
import { DomainError, notFound } from '#domain/errors.ts';
import { type InvitationId, invitationId } from '#domain/ids.ts';
import type { PageQuery } from '#domain/paging.ts';
import type { Invitation } from '#domain/team/contract.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { refuseOwnedDomain } from '#server/auth/refuse-owned-domain.ts';
import { accounts, memberships } from '#server/auth/tables.ts';
import { queueMail } from '#server/mail/store.ts';
import { brandColumns, brandOf } from '#server/organizations/brand.ts';
import { organizations } from '#server/organizations/tables.ts';
import { actingAccount, type Tenant, type TenantConnection } from '#server/platform/access.ts';
import { and, desc, eq, isNull, lt } from '#server/platform/drizzle.ts';
import { newId } from '#server/platform/ids.ts';
import { newInvitationToken } from './invitation-token.ts';
import { refuseBeyond } from './member-store.ts';
import { invitations } from './tables.ts';

const lifeDays = 7;
const columns = {
  id: invitations.id,
  email: invitations.email,
  role: invitations.role,
  createdAt: invitations.createdAt,
  expiresAt: invitations.expiresAt,
};
const isOpen = (tenant: Tenant) =>
  and(
    eq(invitations.orgId, tenant.orgId),
    isNull(invitations.acceptedAt),
    isNull(invitations.cancelledAt),
  );

/** Open invitations, newest first; those that have expired among them, to be sent again. */
export async function listInvitations(tenant: Tenant, page: PageQuery): Promise<Invitation[]> {
  const rows = await tenant.read(({ db }) =>
    db
      .select(columns)
      .from(invitations)
      .where(
        and(
          isOpen(tenant),
          page.before ? lt(invitations.id, invitationId.parse(page.before)) : undefined,
        ),
      )
      .orderBy(desc(invitations.id))
      .limit(page.limit),
  );
  return rows.map(asInvitation);
}

/**
 * Invites an address, by mail and by a link that is answered once. An open invitation to the same
 * address is replaced.
 * @throws DomainError 403 for a role beyond the actor's, 409 for somebody who is a member already
 */
export async function invite(
  tenant: Tenant,
  given: { email: string; role: Role },
  linkOf: (token: string) => string,
): Promise<Invitation & { url: string }> {
  refuseBeyond(tenant, given.role);
  return tenant.write(async (tx) => {
    await refuseMember(tx, given.email);
    await refuseOwnedDomain(tx, given.email, tenant.orgId);
    await tx.db
      .update(invitations)
      .set({ cancelledAt: new Date(), cancelledBy: actingAccount(tenant) })
      .where(and(isOpen(tenant), eq(invitations.email, given.email)));
    const { token, hash } = newInvitationToken(tenant.orgId);
    const id = newId(invitationId);
    const createdAt = new Date();
    const expiresAt = new Date(createdAt.getTime() + lifeDays * 86_400_000);
    await tx.db.insert(invitations).values({
      id,
      orgId: tenant.orgId,
      ...given,
      tokenHash: hash,
      createdBy: actingAccount(tenant),
      createdAt,
      expiresAt,
    });
    await mailInvitation(tx, given.email, linkOf(token));
    await recordEvent(tx, {
      action: 'USER_INVITED',
      entity: 'invitation',
      entityId: id,
      metadata: { role: given.role },
    });
    return { ...asInvitation({ id, ...given, createdAt, expiresAt }), url: linkOf(token) };
  });
}

/** A new link for another seven days; the old one stops working. @throws DomainError 404 */
export function resendInvitation(
  tenant: Tenant,
  id: InvitationId,
  linkOf: (token: string) => string,
): Promise<Invitation & { url: string }> {
  return tenant.write(async (tx) => {
    const { token, hash } = newInvitationToken(tenant.orgId);
    const expiresAt = new Date(Date.now() + lifeDays * 86_400_000);
    const [renewed] = await tx.db
      .update(invitations)
      .set({ tokenHash: hash, expiresAt })
      .where(and(isOpen(tenant), eq(invitations.id, id)))
      .returning(columns);
    if (!renewed) throw notFound();
    await refuseOwnedDomain(tx, renewed.email, tenant.orgId);
    await mailInvitation(tx, renewed.email, linkOf(token));
    await recordEvent(tx, { action: 'INVITATION_RESENT', entity: 'invitation', entityId: id });
    return { ...asInvitation(renewed), url: linkOf(token) };
  });
}

/** @throws DomainError 404 */
export async function cancelInvitation(tenant: Tenant, id: InvitationId): Promise<void> {
  await tenant.write(async (tx) => {
    const cancelled = await tx.db
      .update(invitations)
      .set({ cancelledAt: new Date(), cancelledBy: actingAccount(tenant) })
      .where(and(isOpen(tenant), eq(invitations.id, id)))
      .returning({ id: invitations.id });
    if (cancelled.length === 0) throw notFound();
    await recordEvent(tx, { action: 'INVITATION_CANCELLED', entity: 'invitation', entityId: id });
  });
}

async function refuseMember(tx: TenantConnection, email: string): Promise<void> {
  const [member] = await tx.db
    .select({ id: accounts.id })
    .from(accounts)
    .innerJoin(memberships, eq(memberships.accountId, accounts.id))
    .where(and(eq(memberships.orgId, tx.tenant.orgId), eq(accounts.email, email)));
  if (member) {
    throw new DomainError('conflict', 'already_member', 'This person is already in your team.');
  }
}

async function mailInvitation(tx: TenantConnection, email: string, url: string): Promise<void> {
  const [own] = await tx.db
    .select(brandColumns)
    .from(organizations)
    .where(eq(organizations.id, tx.tenant.orgId));
  const name = own?.name ?? 'a team';
  await queueMail(tx, email, {
    subject: `Join ${name} on Rapport`,
    heading: `Join ${name}`,
    text: `You are invited to ${name} on Rapport. The link works once, for ${lifeDays} days.`,
    button: { label: 'Accept the invitation', url },
    footer: 'You do not know who this is? Then do nothing.',
    brand: own ? brandOf(own) : null,
  });
}

function asInvitation(row: {
  id: InvitationId;
  email: string;
  role: Role;
  createdAt: Date;
  expiresAt: Date;
}): Invitation {
  return {
    ...row,
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
  };
}
