import type { AccountId, OrgId } from '#domain/ids.ts';
import { discardOfAccount } from '#server/consent/discard-captured.ts';
import { eraseReceiptsOfAccount } from '#server/consent/erase-receipts.ts';
import { forgetKeptAnswers } from '#server/consent/forget-kept-answers.ts';
import { forgetCallMails } from '#server/mail/forget-call-mails.ts';
import { tenantOf } from '#server/platform/access.ts';
import type { Connection, Statement } from '#server/platform/database.ts';
import { actsBriefly, takesLong } from '#server/platform/database-timeouts.ts';
import type { Services } from '#server/services.ts';
import { forgetResponses } from '#server/webhooks/end-deliveries.ts';

const lockErasure: Statement = {
  name: 'lock_erasure',
  text: 'select 1 from erasures where org_id = $1 and account_id = $2 for update',
};
const erasePartOfPerson: Statement = {
  name: 'erase_part_of_person',
  text: 'select erase_part_of_person($1, $2) as "isMore"',
};
const forgetErasure: Statement = {
  name: 'forget_erasure',
  text: 'delete from erasures where org_id = $1 and account_id = $2',
};
// Rows of other organizations lose only their reference to the account.
const deleteAccount: Statement = {
  name: 'delete_account',
  text: 'delete from accounts where id = $1 and deleted_at is not null',
};
const unfinished: Statement = {
  name: 'unfinished_erasures',
  text: 'select org_id as "orgId", account_id as "accountId" from unfinished_erasures()',
};
const toDelete: Statement = {
  name: 'accounts_to_delete',
  text: 'select account_id as "accountId" from accounts_to_delete()',
};

type Doing = Pick<Services, 'database' | 'log'>;
interface Erasure {
  orgId: OrgId;
  accountId: AccountId;
}

/** Rows of each kind in a transaction, so that others wait for them only a moment. */
const rowsAtOnce = 500;
/** What is erased before the answer: a person with more is rare, and the job continues within a minute. */
const partsBeforeAnswer = 3;

/**
 * Erases a person who has left, as far as nobody has the rows locked and it takes no longer than moments. The job
 * does what is left, so this does not throw.
 * @param orgId the organization in which data of the person is erased; null if there is none
 */
export async function beginErasure(
  { database, log }: Doing,
  accountId: AccountId,
  orgId: OrgId | null,
): Promise<void> {
  try {
    for (let part = 0; orgId && part < partsBeforeAnswer; part += 1)
      if (!(await erasePart({ database, log }, { orgId, accountId }, [actsBriefly]))) break;
    await deleteLeft({ database, log }, accountId, [actsBriefly]);
  } catch (error) {
    log.info({ err: error, accountId }, 'an erasure is left to the job');
  }
}

/**
 * Erases people who have left, a part of each in turn, and deletes accounts that were left, until the next run
 * where rows are locked.
 */
export async function finishErasures({ database, log }: Doing): Promise<void> {
  // Locks are not waited for while those of other rows are held; other statements may take long.
  const pace = [actsBriefly, takesLong];
  const apart = <T>(about: object, work: () => Promise<T>) =>
    work().catch((error) => log.warn({ ...about, err: error }, 'an erasure must wait'));
  const people = await database.connection('outside', ({ run }) =>
    run<Erasure & Record<string, unknown>>(unfinished, []),
  );
  const left = new Set(people);
  while (left.size > 0)
    for (const one of left)
      if (!(await apart(one, () => erasePart({ database, log }, one, pace)))) left.delete(one);
  const accounts = await database.connection('outside', ({ run }) =>
    run<{ accountId: AccountId }>(toDelete, []),
  );
  for (const one of accounts)
    await apart(one, () => deleteLeft({ database, log }, one.accountId, pace));
}

/**
 * Erases some of the person's rows, and returns whether some may be left. Holds neither the admins nor the account,
 * so no one's rights wait for it.
 */
function erasePart(
  { database }: Doing,
  { orgId, accountId }: Erasure,
  pace: readonly Statement[],
): Promise<boolean> {
  const tenant = tenantOf(database, { kind: 'system', name: 'erasure', orgId }, null);
  return tenant.transaction(async (tx) => {
    await runAll(tx, pace);
    if ((await tx.run(lockErasure, [orgId, accountId])).length === 0) return false;
    // Before the reference to the account is removed, by which they are found.
    if (await discardOfAccount(tx, accountId)) return true;
    if (await eraseReceiptsOfAccount(tx, accountId)) return true;
    const [erased] = await tx.run<{ isMore: boolean }>(erasePartOfPerson, [accountId, rowsAtOnce]);
    if (erased?.isMore) return true;
    await forgetResponses(tx);
    await forgetCallMails(tx);
    await forgetKeptAnswers(tx);
    await tx.run(forgetErasure, [orgId, accountId]);
    return false;
  });
}

/** Deletes the row of an account that was left; others stay. */
async function deleteLeft(
  { database }: Doing,
  account: AccountId,
  pace: readonly Statement[],
): Promise<void> {
  await database.transaction('outside', async (tx) => {
    await runAll(tx, pace);
    await tx.run(deleteAccount, [account]);
  });
}

async function runAll({ run }: Pick<Connection, 'run'>, all: readonly Statement[]): Promise<void> {
  for (const one of all) await run(one, []);
}
