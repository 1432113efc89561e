import { DomainError } from '#domain/errors.ts';
import type { OrgId } from '#domain/ids.ts';
import { domainOf } from '#domain/sso/rules.ts';
import type { Connection, Statement } from '#server/platform/database.ts';

const ownerOfDomain: Statement = {
  name: 'sso_organization_of_domain',
  text: 'select sso_organization_of_domain($1) as "orgId"',
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
