import type { SsoRole } from '#domain/sso/contract.ts';

/** Returns the part after the last @, normalized for comparison. */
export const domainOf = (email: string): string =>
  email.slice(email.lastIndexOf('@') + 1).toLowerCase();

/** The name of the TXT record of a claimed domain, and its required text. */
export const recordNameOf = (domain: string): string => `_rapport.${domain}`;
export const recordTextOf = (token: string): string => `rapport-verification=${token}`;

const strongestFirst: readonly SsoRole[] = ['ORGADMIN', 'AGENT', 'VIEWER'];

export interface RoleMapping {
  defaultRole: SsoRole;
  roleClaim: string | null;
  roleRules: readonly { value: string; role: SsoRole }[];
}

/**
 * Returns the role that a person's claims give: the strongest of the matching rules. Null without a
 * match, which keeps a member's role and gives a new person the default.
 */
export function mappedRole(
  { roleClaim, roleRules }: RoleMapping,
  claims: Readonly<Record<string, readonly string[]>>,
): SsoRole | null {
  const values = roleClaim === null ? [] : (claims[roleClaim] ?? []);
  const fitting = roleRules.filter(({ value }) => values.includes(value)).map(({ role }) => role);
  return strongestFirst.find((role) => fitting.includes(role)) ?? null;
}
