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

/** Ends an unproved membership of an account whose row is locked (team/end-unproved-membership.ts). */
export type EndUnproved = (here: TenantConnection, account: AccountId) => Promise<Unproved | null>;

/** The context of a verification. */
export interface Verifying {
  /** The origin of links. */
  publicUrl: string;
  endUnproved: EndUnproved;
}

/**
 * Runs `verifyAddress`. Outside of the account's own session it also ends a membership that came by a copied
 * link. A mail lists for the owner what was removed.
 * @param at the transaction, and the same one for the organization in which the account was found
 * @returns whether this was the first verification
 * @throws DomainError 503 if the account joined or left an organization in the meantime
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

/**
 * Joining takes the lock on the account that is held here, so the membership cannot change after this check.
 */
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
