import { DomainError } from '#domain/errors.ts';
import type { AccountId, OrgId, SsoConnectionId } from '#domain/ids.ts';
import type { PasskeyId } from '#domain/passkeys/contract.ts';
import type { Statement } from '#server/platform/database.ts';
import { lockAccount } from './lock-account.ts';
import type { AccountConnection } from './write-as-account.ts';

/** What authenticated a sign-in, as it was when it was checked. */
export type Proof =
  | { passwordHash: string | null; hasSecondFactor: boolean }
  | { passkeyId: PasskeyId }
  | {
      ssoOrgId: OrgId;
      connectionId: SsoConnectionId;
      enabledAt: Date;
      /** When the identity provider was asked: what has ended all sign-ins since then ends this one, too. */
      askedAt: Date;
    };

const proofsOf: Statement = {
  name: 'proofs_of_account',
  text: `select password_hash as "passwordHash",
      exists (select 1 from totp_factors f where f.account_id = a.id and f.confirmed_at is not null)
        as "hasSecondFactor",
      array(select p.id from passkeys p where p.account_id = a.id) as passkeys
    from accounts a where a.id = $1`,
};
// Exclusive, because a shared lock would be granted ahead of an admin who waits to change the connection.
const lockConnection: Statement = {
  name: 'lock_connection_of_sign_in',
  text: 'select 1 from sso_connections where org_id = $1 and id = $2 for no key update',
};
const admittedByProvider: Statement = {
  name: 'still_admitted_by_provider',
  text: `select 1 from find_membership($1) m
    join accounts a on a.id = $1
    join sso_domains_in_use() d on d.org_id = m.org_id and d.connection_id = $3
      and d.domain = split_part(a.email, '@', 2)
      and date_trunc('milliseconds', d.enabled_at) = date_trunc('milliseconds', $4::timestamptz)
    where m.org_id = $2 and not sign_in_of_account_has_ended($2, a.id, $5)`,
};

/**
 * Checks the proof again in the transaction that begins the session. Checking a password takes a while; if
 * the password changes meanwhile, its change ends the existing sessions and would miss this one. The account
 * stays locked until the session begins, because a change of a proof first changes or locks the account's row
 * and then ends the sessions. So does the connection of single sign-on, which is locked first (migration 0037).
 * @throws DomainError 401 if the proof no longer holds
 */
export async function requireStillProved(
  tx: AccountConnection,
  account: AccountId,
  proof: Proof,
): Promise<void> {
  // Separate statements, so that the last one sees the changes that the locks waited for.
  const [, , stands] = await Promise.all([
    'connectionId' in proof && tx.run(lockConnection, [proof.ssoOrgId, proof.connectionId]),
    lockAccount(tx, account),
    'connectionId' in proof ? stillAdmits(tx, account, proof) : stillSignsIn(tx, account, proof),
  ]);
  if (stands) return;
  throw new DomainError('unauthorized', 'wrong_credentials', 'Invalid email or password');
}

type OwnProof = Exclude<Proof, { ssoOrgId: OrgId }>;

async function stillSignsIn({ run }: AccountConnection, account: AccountId, proof: OwnProof) {
  const [now] = await run<{
    passwordHash: string | null;
    hasSecondFactor: boolean;
    passkeys: string[];
  }>(proofsOf, [account]);
  if (!now) return false;
  if ('passkeyId' in proof) return now.passkeys.includes(proof.passkeyId);
  return now.passwordHash === proof.passwordHash && now.hasSecondFactor === proof.hasSecondFactor;
}

/**
 * Returns whether the account is still a member of the identity provider's organization, nothing has ended its sign-ins
 * since the provider was asked, the connection is on and has the same provider, and the domain of the account's address
 * is assigned to it.
 */
async function stillAdmits(
  { run }: AccountConnection,
  account: AccountId,
  { ssoOrgId, connectionId, enabledAt, askedAt }: Extract<Proof, { ssoOrgId: OrgId }>,
) {
  const values = [account, ssoOrgId, connectionId, enabledAt, askedAt];
  return (await run(admittedByProvider, values)).length > 0;
}
