import type { AccountId, FileId } from '#domain/ids.ts';
import type { Language } from '#domain/languages.ts';
import { brandOf } from '#server/organizations/brand.ts';
import type { TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import type { EmailContent } from './email-content.ts';
import { queueMail } from './store.ts';

/** Longest membership first. */
const admins: Statement = {
  name: 'admins_for_mail',
  text: `select a.id, a.email, a.language, o.name, o.brand_color as "brandColor",
      o.logo_file_id as "logoFileId"
    from memberships m
    join accounts a on a.id = m.account_id
    join organizations o on o.id = m.org_id
    where m.org_id = $1 and m.role in ('SUPERADMIN', 'ORGADMIN')
    order by m.created_at, a.id limit 20`,
};

interface AdminRow {
  id: AccountId;
  email: string;
  language: Language | null;
  name: string;
  brandColor: string;
  logoFileId: FileId | null;
}

/** Mails up to twenty admins of the organization, in the transaction of the change that they need to know of. */
export async function mailAdmins(
  tx: TenantConnection,
  contentIn: (language: Language) => Omit<EmailContent, 'brand'>,
): Promise<void> {
  const rows = await tx.run<AdminRow & Record<string, unknown>>(admins, [tx.tenant.orgId]);
  for (const { id, email, language, ...organization } of rows)
    await queueMail(tx, {
      recipient: email,
      orgId: tx.tenant.orgId,
      accountId: id,
      kind: 'notice',
      content: { ...contentIn(language ?? 'en'), brand: brandOf(organization) },
    });
}
