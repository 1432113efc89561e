import type { Role } from '#domain/auth/permissions.ts';
import type { AccountId } from '#domain/ids.ts';
import type { EmailContent } from '#server/mail/email-content.ts';
import { countMail, type MailLimit } from '#server/mail/limits.ts';
import { queueMail } from '#server/mail/store.ts';
import { brandOf } from '#server/organizations/brand.ts';
import type { Statement } from '#server/platform/database.ts';
import type { AccountChange } from './account-change-email.ts';
import type { AccountConnection } from './write-as-account.ts';

const brandOfAccount: Statement = {
  name: 'brand_of_account',
  text: `select name, brand_color as "brandColor", logo_file_id as "logoFileId"
    from find_brand_of_account($1)`,
};

const causingOrganization: Statement = {
  name: 'organization_of_connection',
  text: `select nullif(current_setting('app.tenant', true), '') as org`,
};

/** The subject of a security mail. */
export type SecurityMail =
  | AccountChange
  | 'newDevice'
  | 'passwordLink'
  | 'verificationLink'
  | 'credentialsRemoved'
  | 'factorsRemoved'
  | 'addressMoved'
  | 'joined'
  | 'organizationDeletion'
  | 'signInSettings'
  | 'domainCheck'
  | 'destination'
  | 'organizationLeft';

const hour = 3600;
const day = 24 * hour;

/** Keeps repeated sign-ins or changes from flooding a mailbox. */
function limitsOf(what: SecurityMail, account: { id: AccountId; email: string }): MailLimit[] {
  // It has limits of its own (`mayMail`) and must not be dropped here.
  if (what === 'passwordLink') return [];
  if (what !== 'newDevice') {
    // Also per account, because a directory may move it to another address each time.
    return [account.email, account.id].map((key) => ({
      key: ['security', what, key],
      most: 30,
      seconds: day,
    }));
  }
  const key = ['security', what, account.id];
  return [
    { key, most: 5, seconds: hour },
    { key, most: 20, seconds: day },
  ];
}

/**
 * Mails that an organization causes for accounts of its domains. Their daily number per organization is
 * limited.
 */
const byOrganization: ReadonlySet<SecurityMail> = new Set(['addressMoved', 'joined']);
const mostByOrganization = 5000;

async function limitsOfCause(tx: AccountConnection, what: SecurityMail): Promise<MailLimit[]> {
  if (!byOrganization.has(what)) return [];
  const [row] = await tx.run<{ org: string | null }>(causingOrganization, []);
  if (!row?.org) return [];
  return [{ key: ['security', 'by', row.org], most: mostByOrganization, seconds: day }];
}

/**
 * Queues a security mail to an account's own address, branded as its organization if it has one. Mails beyond
 * the limits of their kind are dropped. The limits are per mailbox, per account, and per causing
 * organization, so RATE_LIMIT_SCALE does not widen them.
 * @param roles whose holders may read it: a mail that waits is deleted with the membership, or the role
 */
export async function mailAccount(
  tx: AccountConnection,
  account: { id: AccountId; email: string },
  what: SecurityMail,
  content: Omit<EmailContent, 'brand'>,
  roles?: readonly Role[],
): Promise<void> {
  const limits = [...limitsOf(what, account), ...(await limitsOfCause(tx, what))];
  if (limits.length > 0 && (await countMail(tx, { RATE_LIMIT_SCALE: 1 }, limits)) > 0) return;
  const [brand] = await tx.run<Parameters<typeof brandOf>[0]>(brandOfAccount, [account.id]);
  await queueMail(tx, {
    recipient: account.email,
    orgId: null,
    accountId: account.id,
    kind: 'security',
    ...(roles && { roles }),
    content: { ...content, brand: brand ? brandOf(brand) : null },
  });
}
