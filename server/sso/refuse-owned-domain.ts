import { DomainError } from '#domain/errors.ts';
import type { OrgId } from '#domain/ids.ts';
import { domainOf } from '#domain/sso/rules.ts';
import type { Connection, Statement } from '#server/platform/database.ts';

export const ownerOfDomain: Statement = {
  name: 'sso_organization_of_domain',
  text: 'select sso_organization_of_domain($1) as "orgId"',
};

/**
 * Refuses an address of a domain that another organization has verified: only that organization makes
 * accounts there.
 * @param ownOrg the organization that acts; null for a visitor
 * @throws DomainError 403 `domain_owned`
 */
export async function refuseOwnedDomain(
  { run }: Pick<Connection, 'run'>,
  email: string,
  ownOrg: OrgId | null,
): Promise<void> {
  const [found] = await run<{ orgId: OrgId | null }>(ownerOfDomain, [domainOf(email)]);
  const owner = found?.orgId ?? null;
  if (owner === null || owner === ownOrg) return;
  throw new DomainError(
    'forbidden',
    'domain_owned',
    `${domainOf(email)} belongs to an organization on this installation. Sign in with your company, or ask its admin for an invitation.`,
  );
}
