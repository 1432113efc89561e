import type { AccountId } from '#domain/ids.ts';
import type { Language } from '#domain/languages.ts';
import { cleanName } from '#server/mail/clean-name.ts';
import { type AccountChange, accountChangeEmail } from './account-change-email.ts';
import { mailAccount } from './mail-account.ts';
import type { AccountConnection } from './write-as-account.ts';

/** The account that changes, and where the request came from. */
export interface Changing {
  user: { id: AccountId; email: string; language: Language | null };
  /** The IP address of the request; null if there is none. */
  address: string | null;
  /** The origin of links in the mail. */
  publicUrl: string;
}

/** Mails the owner of an account about a change. Call it in the transaction of the change. */
export async function mailAccountChange(
  tx: AccountConnection,
  { user, address, publicUrl }: Changing,
  change: AccountChange,
  passkeyName: string | null = null,
): Promise<void> {
  const name = passkeyName === null ? null : cleanName(passkeyName);
  const from = { at: new Date(), address, passkeyName: name };
  const url = `${publicUrl}/app/settings/profile`;
  await mailAccount(tx, user, change, accountChangeEmail(user.language ?? 'en', change, from, url));
}
