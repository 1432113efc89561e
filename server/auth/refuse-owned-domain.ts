import { DomainError } from '#domain/errors.ts';
import type { OrgId } from '#domain/ids.ts';
import { domainOf } from '#domain/sso/rules.ts';
import type { TenantConnection } from '#server/platform/access.ts';
import type { Connection, Statement } from '#server/platform/database.ts';

const ownerOfDomain: Statement = {
  name: 'sso_organization_of_domain',
  text: 'select sso_organization_of_domain($1) as "orgId"',
};

const lockVerified: Statement = {
  name: 'lock_verified_domain',
  text: `select 1 from sso_domains where org_id = $1 and domain = $2 and verified_at is not null
    for no key update`,
};

/** Returns the organization that has verified the domain of an address; null if there is none. */
export async function ownerOfAddress(
  { run }: Pick<Connection, 'run'>,
  email: string,
): Promise<OrgId | null> {
  const [found] = await run<{ orgId: OrgId | null }>(ownerOfDomain, [domainOf(email)]);
  return found?.orgId ?? null;
}

/**
 * Returns whether the organization has verified the domain of an address, and keeps it so until the transaction ends:
 * what it does because of the domain, it does while the domain is its own. Call it before accounts are locked, as the
 * end of a verification locks the domain first. Exclusive, because a shared lock would be granted ahead of an admin
 * who waits to remove the domain.
 */
export async function holdOwnDomain(tx: TenantConnection, email: string): Promise<boolean> {
  return (await tx.run(lockVerified, [tx.tenant.orgId, domainOf(email)])).length > 0;
}

/**
 * Refuses an address whose domain another organization has verified: only that organization creates accounts
 * there.
 * @param ownOrg the acting organization; null for a visitor
 * @throws DomainError 403 `domain_owned`
 */
export async function refuseOwnedDomain(
  at: Pick<Connection, 'run'>,
  email: string,
  ownOrg: OrgId | null,
): Promise<void> {
  const owner = await ownerOfAddress(at, email);
  if (owner === null || owner === ownOrg) return;
  throw new DomainError(
    'forbidden',
    'domain_owned',
    `${domainOf(email)} belongs to another organization. Sign in through your company, or ask its admin for an invitation.`,
  );
}
