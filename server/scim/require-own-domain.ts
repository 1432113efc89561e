import { ScimError } from '#domain/scim/error.ts';
import { domainOf } from '#domain/sso/rules.ts';
import { holdOwnDomain } from '#server/auth/refuse-owned-domain.ts';
import type { TenantConnection } from '#server/platform/access.ts';
import { hasVerified } from '#server/sso/domain-store.ts';

/**
 * Requires that the organization has verified the domain: a directory creates accounts, provisions existing
 * ones, and changes addresses only on its organization's verified domains. Call it before any lookup, so that
 * it reveals nothing about other addresses.
 * @throws ScimError 403
 */
export async function requireOwnDomain(at: TenantConnection, email: string): Promise<void> {
  const domain = domainOf(email);
  if (!(await hasVerified(at, domain))) throw notVerified(domain);
}

/**
 * As `requireOwnDomain`, and keeps it so until the transaction ends (`holdOwnDomain`).
 * @throws ScimError 403
 */
export async function keepOwnDomain(tx: TenantConnection, email: string): Promise<void> {
  if (!(await holdOwnDomain(tx, email))) throw notVerified(domainOf(email));
}

const notVerified = (domain: string) =>
  new ScimError(
    403,
    `Your organization has not verified the domain ${domain}. Verify it in Settings, Single sign-on, or invite this person in Settings, Team.`,
    'invalidValue',
  );
