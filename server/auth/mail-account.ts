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

/** Of what a security mail tells. */
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
  | 'organizationLeft';

const hour = 3600;
const day = 24 * hour;

/** Signing in again and again, or changing an account to and fro, must not flood a mailbox. */
function limitsOf(what: SecurityMail, account: { id: AccountId; email: string }): MailLimit[] {
  // It is asked for within limits of its own (`mayMail`), and is never dropped beyond them.
  if (what === 'passwordLink') return [];
  if (what !== 'newDevice') {
    // The account's own, too: a directory may move it to another address each time.
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

/** What an organization does to the accounts of its domains, and how much of it a day is told. */
const byOrganization: ReadonlySet<SecurityMail> = new Set(['addressMoved', 'joined']);
const mostByOrganization = 5000;

async function limitsOfCause(tx: AccountConnection, what: SecurityMail): Promise<MailLimit[]> {
  if (!byOrganization.has(what)) return [];
  const [row] = await tx.run<{ org: string | null }>(causingOrganization, []);
  if (!row?.org) return [];
  return [{ key: ['security', 'by', row.org], most: mostByOrganization, seconds: day }];
}

/**
 * Stores a security mail to an account's own address, under its organization's brand where it has one.
 * Beyond the limits of its kind the mail is dropped. They are the mailbox's, the account's and the causing
 * organization's, so that RATE_LIMIT_SCALE does not widen them.
 */
export async function mailAccount(
  tx: AccountConnection,
  account: { id: AccountId; email: string },
  what: SecurityMail,
  content: Omit<EmailContent, 'brand'>,
): Promise<void> {
  const limits = [...limitsOf(what, account), ...(await limitsOfCause(tx, what))];
  if (limits.length > 0 && (await countMail(tx, { RATE_LIMIT_SCALE: 1 }, limits)) > 0) return;
  const [brand] = await tx.run<Parameters<typeof brandOf>[0]>(brandOfAccount, [account.id]);
  await queueMail(tx, {
    recipient: account.email,
    orgId: null,
    accountId: account.id,
    kind: 'security',
    content: { ...content, brand: brand ? brandOf(brand) : null },
  });
}
