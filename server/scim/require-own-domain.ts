import { ScimError } from '#domain/scim/error.ts';
import { domainOf } from '#domain/sso/rules.ts';
import type { TenantConnection } from '#server/platform/access.ts';
import { hasVerified } from '#server/sso/domain-store.ts';

/**
 * A directory makes accounts, takes accounts in and moves addresses on verified domains of its own
 * organization only. Comes before any look-up, so that it tells nothing of other addresses.
 * @throws ScimError 403
 */
export async function requireOwnDomain(at: TenantConnection, email: string): Promise<void> {
  const domain = domainOf(email);
  if (await hasVerified(at, domain)) return;
  throw new ScimError(
    403,
    `Your organization has not verified the domain ${domain}. Verify it in Settings, Single sign-on, or invite this person in Settings, Team.`,
    'invalidValue',
  );
}
