import type { AccountId } from '#domain/ids.ts';
import type { Language } from '#domain/languages.ts';
import type { Statement } from '#server/platform/database.ts';
import type { Device } from './device.ts';
import { mailAccount } from './mail-account.ts';
import { newDeviceEmail } from './new-device-email.ts';
import type { AccountConnection } from './write-as-account.ts';

const newDevices: Statement = {
  name: 'new_devices_of_verified_account',
  text: `select (select count(*) from account_devices d
      where d.account_id = a.id and d.first_seen_at > now() - interval '1 day')::int as count
    from accounts a where a.id = $1 and a.email_verified_at is not null`,
};

/**
 * Mails the owner of a verified address about a device that is new to the account, with the number of new
 * devices within a day. Where a mail was dropped by the limits (`mailAccount`), the next one includes it in
 * its count. An unverified address gets no mail: it may belong to an uninvolved person.
 * @param url of the page where the owner signs devices out
 */
export async function mailNewDevice(
  tx: AccountConnection,
  user: { id: AccountId; email: string; language: Language | null },
  device: Device,
  { url, ...from }: { at: Date; address: string; url: string },
): Promise<void> {
  const [recent] = await tx.run<{ count: number }>(newDevices, [user.id]);
  if (!recent) return;
  const content = newDeviceEmail(user.language ?? 'en', device, { ...from, ...recent }, url);
  await mailAccount(tx, user, 'newDevice', content);
}
