import type { AccountId, OrgId } from '#domain/ids.ts';
import type { TenantConnection } from '#server/platform/access.ts';
import type { Database, Statement } from '#server/platform/database.ts';

const begin: Statement = {
  name: 'begin_takeover',
  text: `insert into takeovers (org_id, account_id) values ($1, $2)
    on conflict (org_id, account_id) do update set taken_at = now(), settled_at = null`,
};
const forget: Statement = {
  name: 'forget_takeover',
  text: 'delete from takeovers where org_id = $1 and account_id = $2',
};
// What the account's sessions are about to commit is visible afterward; see migration 0035.
const writes: Statement = {
  name: 'await_writes_of_account',
  text: `select pg_advisory_xact_lock(hashtextextended('takeover ' || $1::text, 0))`,
};
// The same for whoever acts with an admin's rights, or makes somebody an admin; see migration 0089.
const writesOfAdmins: Statement = {
  name: 'await_writes_of_admins',
  text: `select pg_advisory_xact_lock(hashtextextended('takeover of ' || $1::text, 0))`,
};
const isOfOnlyAdmin: Statement = {
  name: 'takeover_is_of_only_admin',
  text: 'select keeps_guests_out($1) as is',
};
const settledBefore: Statement = {
  name: 'takeover_settled_at',
  text: 'select settled_at as at from takeovers where org_id = $1 and account_id = $2',
};
const settle: Statement = {
  name: 'settle_takeover',
  text: `update takeovers set settled_at = clock_timestamp()
    where org_id = $1 and account_id = $2 returning settled_at as at`,
};
const unfinished: Statement = {
  name: 'unfinished_takeovers',
  text: 'select org_id as "orgId", account_id as "accountId" from unfinished_takeovers()',
};

/** An account that its owner has taken over, in the organization where others may have prepared something. */
export interface Takeover {
  orgId: OrgId;
  accountId: AccountId;
}

/** Notes that a takeover has to be finished. Until `forgetTakeover`, guests of its only admin stay out. */
export async function beginTakeover(tx: TenantConnection, account: AccountId): Promise<void> {
  await tx.run(begin, [tx.tenant.orgId, account]);
}

export async function forgetTakeover(tx: TenantConnection, account: AccountId): Promise<void> {
  await tx.run(forget, [tx.tenant.orgId, account]);
}

/**
 * Waits for what the account's sessions are about to commit. Until the transaction ends, they can commit
 * nothing else.
 */
export async function awaitWrites(tx: TenantConnection, account: AccountId): Promise<void> {
  await tx.run(writes, [account]);
}

/**
 * Waits for what tokens, members, and other admins of the organization are about to commit, and for admins who are
 * being made. Until the transaction ends, tokens and admins can commit nothing else, and no other admin is made. For
 * the organization of an only admin: tokens are refused as if they were revoked.
 */
export async function awaitWritesOfAdmins(tx: TenantConnection): Promise<void> {
  await tx.run(writesOfAdmins, [tx.tenant.orgId]);
}

/**
 * Returns from when on nothing is committed any more that began before the takeover, in the sessions of the account,
 * and for an only admin by tokens or other admins, either; null if the takeover is already finished.
 */
export async function settleWrites(tx: TenantConnection, account: AccountId): Promise<Date | null> {
  const values = [tx.tenant.orgId, account];
  const [before] = await tx.run<{ at: Date | null }>(settledBefore, values);
  if (!before || before.at) return before?.at ?? null;
  await awaitWrites(tx, account);
  const [only] = await tx.run<{ is: boolean }>(isOfOnlyAdmin, [tx.tenant.orgId]);
  if (only?.is) await awaitWritesOfAdmins(tx);
  const [settled] = await tx.run<{ at: Date }>(settle, values);
  return settled?.at ?? null;
}

/** Returns takeovers of any organizations, the oldest first, 100 at most. */
export const unfinishedTakeovers = (database: Database): Promise<Takeover[]> =>
  database.background(({ run }) => run<Takeover & Record<string, unknown>>(unfinished, []));
