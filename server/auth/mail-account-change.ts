import type { AccountId } from '#domain/ids.ts';
import type { Language } from '#domain/languages.ts';
import { cleanName } from '#server/mail/clean-name.ts';
import { type AccountChange, accountChangeEmail } from './account-change-email.ts';
import { mailAccount } from './mail-account.ts';
import type { AccountConnection } from './write-as-account.ts';

/** Whose account it is, and where a change to it came from. */
export interface Changing {
  user: { id: AccountId; email: string; language: Language | null };
  /** The address of the request; null for none. */
  address: string | null;
  /** The address that people open; links in the mail have it. */
  publicUrl: string;
}

/** Tells the owner of an account by mail what was changed; call it in the transaction of the change. */
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
