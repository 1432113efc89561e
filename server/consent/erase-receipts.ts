import type { AccountId } from '#domain/ids.ts';
import type { TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';

/*
 * A receipt proves that a capture was asked about and what was answered. After its person is erased, nothing captured
 * of them is left to prove it for, so it keeps the answer and loses the name.
 */

const rowsAtOnce = 500;
const receiptsOfAccount: Statement = {
  name: 'erase_receipts_of_account',
  text: `update consents set name = 'Deleted person', account_id = null
    where id in (select id from consents where org_id = $1 and account_id = $2
      and answered_at <= coalesce((select requested_at from erasures where org_id = $1 and account_id = $2), now())
      limit ${rowsAtOnce})
    returning id`,
};
const receiptsOfGuest: Statement = {
  name: 'erase_receipts_of_guest',
  text: `update consents set name = 'Deleted person'
    where org_id = $1 and id in (select consents_of_guest($2)) returning id`,
};

/** Takes the name from some receipts of a member. @returns whether there may be more */
export async function eraseReceiptsOfAccount(
  { run, tenant }: TenantConnection,
  account: AccountId,
): Promise<boolean> {
  const erased = await run(receiptsOfAccount, [tenant.orgId, account]);
  return erased.length === rowsAtOnce;
}

/**
 * Takes the name from the receipts of a guest. To be called before the name is taken from their attendances.
 * @param name of the guest, in lower case
 * @returns the number of receipts
 */
export async function eraseReceiptsOfGuest(
  { run, tenant }: TenantConnection,
  name: string,
): Promise<number> {
  return (await run(receiptsOfGuest, [tenant.orgId, name])).length;
}
