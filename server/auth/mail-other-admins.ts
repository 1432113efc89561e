import { adminRoles } from '#domain/auth/permissions.ts';
import type { AccountId } from '#domain/ids.ts';
import type { Language } from '#domain/languages.ts';
import type { EmailContent } from '#server/mail/email-content.ts';
import { actingAccount, type TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { mailAccount, type SecurityMail } from './mail-account.ts';

// Longest membership first, because the acting admin may have added the recent ones.
const otherAdmins: Statement = {
  name: 'other_admins_of_organization',
  text: `select a.id, a.email, a.language from memberships m
    join accounts a on a.id = m.account_id
    where m.org_id = $1 and m.role = any ($3) and a.id is distinct from $2
    order by m.created_at, a.id limit 50`,
};
const nameOf: Statement = {
  name: 'name_of_acting_admin',
  text: `select coalesce(nullif(trim(first_name || ' ' || last_name), ''), email) as name
    from accounts where id = $1`,
};

/**
 * Mails up to fifty other admins of the organization about a change by the acting admin, in the transaction
 * of the change and within the limits of security mail.
 * @param write returns the content in the reader's language, with the name of the acting admin
 */
export async function mailOtherAdmins(
  tx: TenantConnection,
  what: SecurityMail,
  write: (language: Language, admin: string) => Omit<EmailContent, 'brand'>,
): Promise<void> {
  const acting = actingAccount(tx.tenant);
  const [by] = await tx.run<{ name: string }>(nameOf, [acting]);
  const others = await tx.run<{ id: AccountId; email: string; language: Language | null }>(
    otherAdmins,
    [tx.tenant.orgId, acting, adminRoles],
  );
  for (const { language, ...account } of others)
    await mailAccount(tx, account, what, write(language ?? 'en', by?.name ?? ''), adminRoles);
}
