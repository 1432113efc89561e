import type { AccountId } from '#domain/ids.ts';
import type { Letter } from '#server/mail/letter.ts';
import { queueMail } from '#server/mail/store.ts';
import { brandOf } from '#server/organizations/brand.ts';
import type { Statement } from '#server/platform/database.ts';
import type { AccountConnection } from './write-as-account.ts';

const brandOfAccount: Statement = {
  name: 'brand_of_account',
  text: `select name, brand_color as "brandColor", logo_file_id as "logoFileId"
    from find_brand_of_account($1)`,
};

/** Stores a security mail to an account's own address, under its organisation's brand where it has one. */
export async function mailAccount(
  tx: AccountConnection,
  account: { id: AccountId; email: string },
  letter: Omit<Letter, 'brand'>,
): Promise<void> {
  const [brand] = await tx.run<Parameters<typeof brandOf>[0]>(brandOfAccount, [account.id]);
  await queueMail(tx, {
    recipient: account.email,
    orgId: null,
    accountId: account.id,
    kind: 'security',
    letter: { ...letter, brand: brand ? brandOf(brand) : null },
  });
}
