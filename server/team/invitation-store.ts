import type { Role } from '#domain/auth/permissions.ts';
import { DomainError, notFound } from '#domain/errors.ts';
import { type InvitationId, invitationId } from '#domain/ids.ts';
import type { Language } from '#domain/languages.ts';
import type { PageQuery } from '#domain/paging.ts';
import type { Invitation } from '#domain/team/contract.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { refuseOwnedDomain } from '#server/auth/refuse-owned-domain.ts';
import { accounts, memberships } from '#server/auth/tables.ts';
import type { Config } from '#server/config.ts';
import { actingAccount, type Tenant, type TenantConnection } from '#server/platform/access.ts';
import { and, desc, eq, isNull, lt } from '#server/platform/drizzle.ts';
import { newId } from '#server/platform/ids.ts';
import { newOrganizationToken } from '#server/platform/tokens.ts';
import { mailInvitation } from './invitation-mail.ts';
import { invitationToken } from './invitation-token.ts';
import { lockAdmins, refuseBeyond } from './member-store.ts';
import { invitations } from './tables.ts';

const lifeDays = 7;
/** Per organization. Larger numbers of people come from a directory. */
const mostOpen = 1_000;
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

/** Returns the open invitations, newest first, including expired ones, which can be sent again. */
export async function listInvitations(tenant: Tenant, page: PageQuery): Promise<Invitation[]> {
  const rows = await tenant.connection(({ db }) =>
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

/** How invitations reach people. */
export interface InvitationLinks {
  urlOf: (token: string) => string;
  /** Whether mails leave the machine; otherwise the operator reads them, and their links verify nothing. */
  isMailed: boolean;
  /** The inviting admin's language, because that of the invited person is unknown. */
  language: Language;
}

/**
 * Invites an address by mail and by a link to copy, which is returned only once. Replaces an open invitation
 * to the same address. If a mail limit is reached, the invitation is stored but not mailed.
 * @throws DomainError 403 for a role beyond the actor's; 409 for an address of a member, or if a thousand
 * invitations are open
 */
export async function invite(
  tenant: Tenant,
  given: { email: string; role: Role },
  links: InvitationLinks,
  config: Config,
): Promise<Invitation & { url: string; mailed: boolean }> {
  refuseBeyond(tenant, given.role);
  return tenant.transaction(async (tx) => {
    // A concurrent removal of the actor either waits and cancels this invitation, or has committed and is
    // visible here.
    await lockAdmins(tx);
    await refuseMember(tx, given.email);
    await refuseOwnedDomain(tx, given.email, tenant.orgId);
    await tx.db
      .update(invitations)
      .set({ cancelledAt: new Date(), cancelledBy: actingAccount(tenant) })
      .where(and(isOpen(tenant), eq(invitations.email, given.email)));
    await refuseMoreOpen(tx);
    const { hashes, url, mailedUrl } = newLinks(tenant, links);
    const id = newId(invitationId);
    const createdAt = new Date();
    const expiresAt = new Date(createdAt.getTime() + lifeDays * 86_400_000);
    await tx.db.insert(invitations).values({
      id,
      orgId: tenant.orgId,
      ...given,
      ...hashes,
      createdBy: actingAccount(tenant),
      createdAt,
      expiresAt,
    });
    const { email } = given;
    const waitSeconds = await mailInvitation(tx, config, {
      email,
      url: mailedUrl,
      lifeDays,
      language: links.language,
    });
    await recordEvent(tx, {
      action: 'USER_INVITED',
      entity: 'invitation',
      entityId: id,
      metadata: { role: given.role },
    });
    const made = asInvitation({ id, ...given, createdAt, expiresAt });
    return { ...made, url, mailed: waitSeconds === 0 };
  });
}

/** Bounds the open invitations, because the end of a membership cancels those of that person. */
async function refuseMoreOpen({ db, tenant }: TenantConnection): Promise<void> {
  const open = await db.$count(invitations, isOpen(tenant));
  if (open < mostOpen) return;
  throw new DomainError(
    'conflict',
    'too_many_invitations',
    `${mostOpen.toLocaleString('en')} invitations are open. Please cancel some of them first.`,
  );
}

/**
 * Makes new links for another seven days, and mails one. The old links stop working. The copied link is shown
 * to the acting admin, who becomes the invitation's creator: it ends with their rights.
 * @throws DomainError 403 for a role beyond the actor's; 404; 429 if a mail limit is reached, and the old
 * links keep working
 */
export function resendInvitation(
  tenant: Tenant,
  id: InvitationId,
  links: InvitationLinks,
  config: Config,
): Promise<Invitation & { url: string; mailed: boolean }> {
  return tenant.transaction(async (tx) => {
    await lockAdmins(tx);
    const { hashes, url, mailedUrl } = newLinks(tenant, links);
    const expiresAt = new Date(Date.now() + lifeDays * 86_400_000);
    const [renewed] = await tx.db
      .update(invitations)
      .set({ ...hashes, expiresAt, createdBy: actingAccount(tenant) })
      .where(and(isOpen(tenant), eq(invitations.id, id)))
      .returning(columns);
    if (!renewed) throw notFound();
    const { email, role } = renewed;
    refuseBeyond(tenant, role);
    await refuseOwnedDomain(tx, email, tenant.orgId);
    const waitSeconds = await mailInvitation(tx, config, {
      email,
      url: mailedUrl,
      lifeDays,
      language: links.language,
    });
    if (waitSeconds > 0) throw tooManyMails(waitSeconds);
    await recordEvent(tx, { action: 'INVITATION_RESENT', entity: 'invitation', entityId: id });
    return { ...asInvitation(renewed), url, mailed: true };
  });
}

/** @throws DomainError 404 */
export async function cancelInvitation(tenant: Tenant, id: InvitationId): Promise<void> {
  await tenant.transaction(async (tx) => {
    const cancelled = await tx.db
      .update(invitations)
      .set({ cancelledAt: new Date(), cancelledBy: actingAccount(tenant) })
      .where(and(isOpen(tenant), eq(invitations.id, id)))
      .returning({ id: invitations.id });
    if (cancelled.length === 0) throw notFound();
    await recordEvent(tx, { action: 'INVITATION_CANCELLED', entity: 'invitation', entityId: id });
  });
}

/** The copied and the mailed link differ, because following the mailed one verifies the address. */
function newLinks({ orgId }: Tenant, { urlOf, isMailed }: InvitationLinks) {
  const copied = newOrganizationToken(orgId, invitationToken);
  const mailed = isMailed ? newOrganizationToken(orgId, invitationToken) : null;
  return {
    hashes: { tokenHash: copied.hash, mailedTokenHash: mailed?.hash ?? null },
    url: urlOf(copied.token),
    mailedUrl: urlOf((mailed ?? copied).token),
  };
}
const tooManyMails = (waitSeconds: number) =>
  new DomainError(
    'too_many',
    'too_many_invitation_mails',
    'Too many invitation emails were sent, by you or to this person. The previous link still works. Please try again later.',
    { retryAfterSeconds: waitSeconds },
  );

async function refuseMember(tx: TenantConnection, email: string): Promise<void> {
  const [member] = await tx.db
    .select({ id: accounts.id })
    .from(accounts)
    .innerJoin(memberships, eq(memberships.accountId, accounts.id))
    .where(and(eq(memberships.orgId, tx.tenant.orgId), eq(accounts.email, email)));
  if (member) {
    throw new DomainError('conflict', 'already_member', 'This person is already on your team.');
  }
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
