import { DomainError } from '#domain/errors.ts';
import type { AccountId, OrgId } from '#domain/ids.ts';
import type { Language } from '#domain/languages.ts';
import type { TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { credentialsRemovedEmail, type Unproved } from './credentials-removed-email.ts';
import { mailAccount } from './mail-account.ts';
import { verifyAddress } from './verify-address.ts';
import type { AccountConnection } from './write-as-account.ts';

const membershipNow: Statement = {
  name: 'membership_while_verifying',
  text: 'select org_id as "orgId" from find_membership($1)',
};

/** Ends such a membership of an account whose row is held (team/end-unproved-membership.ts). */
export type EndUnproved = (here: TenantConnection, account: AccountId) => Promise<Unproved | null>;

/** Where the verification happens. */
export interface Verifying {
  /** Where links lead. */
  publicUrl: string;
  endUnproved: EndUnproved;
}

/**
 * `verifyAddress`, which outside of the account's own session also ends a membership that came by a
 * copied link. A mail tells the owner what was removed.
 * @param at the transaction, and the same one as the organization's that the account was found in
 * @returns whether this was the first verification
 * @throws DomainError 503 where the account joined or left an organization meanwhile
 */
export async function verifyAsOwner(
  at: { tx: AccountConnection; here: TenantConnection | null },
  user: { id: AccountId; email: string; language: Language | null },
  session: { id: string } | null,
  { publicUrl, endUnproved }: Verifying,
): Promise<boolean> {
  const { tx, here } = at;
  const first = await verifyAddress(tx, user.id, session);
  if (!first) return false;
  if (!session) await refuseMoved(tx, here, user.id);
  const unproved = here && !session ? await endUnproved(here, user.id) : null;
  if (first.hasRemoved || unproved) {
    const url = `${publicUrl}/app/settings/profile`;
    const content = credentialsRemovedEmail(user.language ?? 'en', url, unproved);
    await mailAccount(tx, user, 'credentialsRemoved', content);
  }
  return true;
}

/** Joining holds the account, which is held here: what is seen now stays. */
async function refuseMoved(
  tx: AccountConnection,
  here: TenantConnection | null,
  account: AccountId,
): Promise<void> {
  const [now] = await tx.run<{ orgId: OrgId }>(membershipNow, [account]);
  if ((now?.orgId ?? null) === (here?.tenant.orgId ?? null)) return;
  throw busy();
}

const busy = () =>
  new DomainError(
    'unavailable',
    'account_busy',
    'This account is being changed. Please try again in a moment.',
    { retryAfterSeconds: 5 },
  );
