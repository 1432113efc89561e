import type { AccountId } from '#domain/ids.ts';
import type { Language } from '#domain/languages.ts';
import { credentialsRemovedLetter } from './credentials-removed-letter.ts';
import { mailAccount } from './mail-account.ts';
import { verifyAddress } from './verify-address.ts';
import type { AccountConnection } from './write-as-account.ts';

/**
 * `verifyAddress`, with a mail to the owner where it removed something.
 * @param publicUrl where links lead
 * @returns whether this was the first verification
 */
export async function verifyAsOwner(
  tx: AccountConnection,
  user: { id: AccountId; email: string; language: Language | null },
  session: { id: string } | null,
  publicUrl: string,
): Promise<boolean> {
  const first = await verifyAddress(tx, user.id, session);
  if (first?.hasRemoved) {
    const url = `${publicUrl}/app/settings/profile`;
    await mailAccount(
      tx,
      user,
      'credentialsRemoved',
      credentialsRemovedLetter(user.language ?? 'en', url),
    );
  }
  return first !== null;
}
