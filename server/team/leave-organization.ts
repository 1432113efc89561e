import type { SignedInUser } from '#domain/auth/contract.ts';
import { noOrganization } from '#domain/errors.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { refuseStale } from '#server/auth/confirm-self.ts';
import { holdSession } from '#server/auth/keep-session.ts';
import { mailAccount } from '#server/auth/mail-account.ts';
import type { CurrentSession } from '#server/auth/sessions.ts';
import { memberships } from '#server/auth/tables.ts';
import { scheduleDeletion } from '#server/organizations/schedule-deletion.ts';
import { type TenantConnection, tenantOf } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { actsBriefly } from '#server/platform/database-timeouts.ts';
import { and, eq, ne } from '#server/platform/drizzle.ts';
import { publicUrl } from '#server/platform/public-url.ts';
import type { Services } from '#server/services.ts';
import { leftOrganizationEmail } from './left-organization-email.ts';
import { endMembership, lockAdmins } from './member-store.ts';

interface Leaving {
  user: SignedInUser;
  session: CurrentSession;
  request: Parameters<typeof publicUrl>[1] & { ip: string };
}

/**
 * Ends the membership of the person who asks, who keeps the session in which they do so, and mails them.
 * An organization that has no member left is deleted after the usual days of grace.
 * @param join what the person leaves for, in the same transaction: where it fails, the membership stays
 * @throws DomainError 403 `confirmation_needed`, 401 where the session ended meanwhile, 409 for the last
 *   admin of an organization that has other members; as `join`
 */
export async function leaveOrganization(
  { database, config }: Pick<Services, 'database' | 'config'>,
  { user, session, request }: Leaving,
  join: (left: TenantConnection) => Promise<void>,
): Promise<void> {
  const { id, orgId, role } = user;
  if (orgId === null || role === null) throw noOrganization();
  refuseStale(session);
  const actor = { kind: 'user' as const, accountId: id, orgId, role };
  await tenantOf(database, actor, request.ip, 'checked-first').transaction(async (tx) => {
    // Others may hold rows that end with the membership, and admins need the locks that are held meanwhile.
    await tx.run(actsBriefly, []);
    // Locks roles before accounts, in the same order as every removal.
    await lockAdmins(tx);
    await holdSession(tx, user, session);
    const isLast = await isLastMember(tx, id);
    const url = `${publicUrl(config, request)}/app/settings/profile`;
    const content = leftOrganizationEmail(user.language ?? 'en', isLast, url);
    await mailAccount(tx, user, 'organizationLeft', content);
    await endMembership(tx, id, { mayBeLastAdmin: isLast });
    if (isLast) await scheduleDeletion(tx);
    await recordEvent(tx, { action: 'MEMBER_LEFT', entity: 'account', entityId: id });
    await join(tx);
  });
}

const lockOrganization: Statement = {
  name: 'lock_organization_against_joining',
  text: 'select 1 from organizations where id = $1 for update',
};

/**
 * Returns whether this is the only member, and keeps it so until the transaction ends: each insert of a
 * membership locks the organization by its foreign key. A later join finds no admin and is refused.
 */
async function isLastMember(tx: TenantConnection, id: SignedInUser['id']): Promise<boolean> {
  if (!(await isOnlyMember(tx, id))) return false;
  await tx.run(lockOrganization, [tx.tenant.orgId]);
  return isOnlyMember(tx, id);
}

async function isOnlyMember({ db, tenant }: TenantConnection, id: SignedInUser['id']) {
  const others = await db
    .select({ id: memberships.accountId })
    .from(memberships)
    .where(and(eq(memberships.orgId, tenant.orgId), ne(memberships.accountId, id)))
    .limit(1);
  return others.length === 0;
}
