import type { Language } from '#domain/languages.ts';
import { ownerOfAddress } from '#server/auth/refuse-owned-domain.ts';
import type { Config } from '#server/config.ts';
import { countMail, type MailLimit } from '#server/mail/limits.ts';
import { queueMail } from '#server/mail/store.ts';
import { brandColumns, brandOf } from '#server/organizations/brand.ts';
import { organizations } from '#server/organizations/tables.ts';
import { actingAccount, type TenantConnection } from '#server/platform/access.ts';
import { eq } from '#server/platform/drizzle.ts';
import { invitationEmail } from './invitation-email.ts';

const hour = 3600;
const day = 86_400;

/**
 * Limits invitations, because they go to people who did not ask for them. Sending one again counts as
 * another. Invitations from other organizations do not count against an organization that has verified the
 * address's domain.
 */
async function limitsOf(tx: TenantConnection, email: string): Promise<MailLimit[]> {
  const { tenant } = tx;
  const sender = actingAccount(tenant) ?? tenant.orgId;
  const isOwn = (await ownerOfAddress(tx, email)) === tenant.orgId;
  return [
    { key: ['invitations by', sender], most: 50, seconds: hour },
    { key: ['invitations by', sender], most: 200, seconds: day },
    { key: ['invitations of', tenant.orgId], most: 500, seconds: day },
    ...(isOwn ? [] : [{ key: ['invitations to', email], most: 20, seconds: day }]),
    { key: ['invitations to', email, 'of', tenant.orgId], most: 3, seconds: day },
  ];
}

/**
 * Queues the mail with an invitation's link, unless a limit is reached.
 * @returns 0, or the number of seconds until such a mail may be sent again
 */
export async function mailInvitation(
  tx: TenantConnection,
  config: Config,
  {
    email,
    url,
    lifeDays,
    language,
  }: { email: string; url: string; lifeDays: number; language: Language },
): Promise<number> {
  const waitSeconds = await countMail(tx, config, await limitsOf(tx, email));
  if (waitSeconds > 0) return waitSeconds;
  const [own] = await tx.db
    .select(brandColumns)
    .from(organizations)
    .where(eq(organizations.id, tx.tenant.orgId));
  await queueMail(tx, {
    recipient: email,
    orgId: tx.tenant.orgId,
    accountId: null,
    kind: 'invitation',
    content: invitationEmail(language, own ? brandOf(own) : null, url, lifeDays),
  });
  return 0;
}
