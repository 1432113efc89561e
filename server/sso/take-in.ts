import type { AccountId } from '#domain/ids.ts';
import type { Language } from '#domain/languages.ts';
import { joinedEmail } from '#server/auth/joined-email.ts';
import { mailAccount } from '#server/auth/mail-account.ts';
import { removeCredentials } from '#server/auth/verify-address.ts';
import type { Connection, Statement } from '#server/platform/database.ts';

const addressOf: Statement = {
  name: 'address_of_account',
  text: 'select email, language from accounts where id = $1',
};

/**
 * Prepares an existing account for an organization that has verified the domain of its address. Removes the
 * account's credentials, because they may be a squatter's or a former employee's, and mails the address.
 * @param home the server's public URL, for the link
 */
export async function takeIn(
  tx: Pick<Connection, 'db' | 'run'>,
  id: AccountId,
  home: string,
): Promise<void> {
  await removeCredentials(tx, id);
  const [found] = await tx.run<{ email: string; language: Language | null }>(addressOf, [id]);
  if (!found) return;
  const content = joinedEmail(found.language ?? 'en', 'verifiedDomain', `${home}/auth?next=/app`);
  await mailAccount(tx, { id, email: found.email }, 'joined', content);
}
