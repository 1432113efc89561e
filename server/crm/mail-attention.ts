import { type CrmVendor, vendorNames } from '#domain/crm/mapping.ts';
import type { Config } from '#server/config.ts';
import { countMail } from '#server/mail/limits.ts';
import { mailAdmins } from '#server/mail/mail-admins.ts';
import type { TenantConnection } from '#server/platform/access.ts';
import { installationUrl } from '#server/platform/public-url.ts';
import { type AttentionReason, attentionEmail } from './attention-email.ts';

/**
 * Mails the admins that a connection needs attention, in the transaction that marks it. Connecting again and losing
 * the access again is mailed three times a day at most for each CRM; the settings say it every time.
 */
export async function mailAttention(
  tx: TenantConnection,
  config: Config,
  { vendor, reason }: { vendor: CrmVendor; reason: AttentionReason },
): Promise<void> {
  const key = ['crm needs attention', tx.tenant.orgId, vendor];
  if ((await countMail(tx, config, [{ key, most: 3, seconds: 86_400 }])) > 0) return;
  const about = { name: vendorNames[vendor], reason, home: installationUrl(config) };
  await mailAdmins(tx, (language) => attentionEmail(language, about));
}
