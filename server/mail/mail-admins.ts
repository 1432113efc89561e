import { adminRoles } from '#domain/auth/permissions.ts';
import type { Language } from '#domain/languages.ts';
import { brandOf } from '#server/organizations/brand.ts';
import type { TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import type { EmailContent } from './email-content.ts';
import { type MemberRecipient, recipientColumns } from './member-recipient.ts';
import { queueMail } from './store.ts';

/** Longest membership first. */
const admins: Statement = {
  name: 'admins_for_mail',
  text: `select ${recipientColumns}
    from memberships m
    join accounts a on a.id = m.account_id
    join organizations o on o.id = m.org_id
    where m.org_id = $1 and m.role = any ($2)
    order by m.created_at, a.id limit 20`,
};

/** Mails up to twenty admins of the organization, in the transaction of the change that they need to know of. */
export async function mailAdmins(
  tx: TenantConnection,
  contentIn: (language: Language) => Omit<EmailContent, 'brand'>,
): Promise<void> {
  const rows = await tx.run<MemberRecipient>(admins, [tx.tenant.orgId, adminRoles]);
  for (const { id, email, language, ...organization } of rows)
    await queueMail(tx, {
      recipient: email,
      orgId: tx.tenant.orgId,
      accountId: id,
      kind: 'notice',
      roles: adminRoles,
      content: { ...contentIn(language ?? 'en'), brand: brandOf(organization) },
    });
}
