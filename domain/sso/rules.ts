import type { SsoRole } from '#domain/sso/contract.ts';

/** What follows the last @, as domains are compared. */
export const domainOf = (email: string): string =>
  email.slice(email.lastIndexOf('@') + 1).toLowerCase();

/** Where the record of a claimed domain is looked for, and what it must say. */
export const recordNameOf = (domain: string): string => `_rapport.${domain}`;
export const recordTextOf = (token: string): string => `rapport-verification=${token}`;

const strongestFirst: readonly SsoRole[] = ['ORGADMIN', 'AGENT', 'VIEWER'];

export interface RoleMapping {
  defaultRole: SsoRole;
  roleClaim: string | null;
  roleRules: readonly { value: string; role: SsoRole }[];
}

/**
 * The role that a person's claims give: the strongest of the rules that fit. Null where none fits,
 * which leaves a member's role as it is and gives somebody new the default.
 */
export function mappedRole(
  { roleClaim, roleRules }: RoleMapping,
  claims: Readonly<Record<string, readonly string[]>>,
): SsoRole | null {
  const values = roleClaim === null ? [] : (claims[roleClaim] ?? []);
  const fitting = roleRules.filter(({ value }) => values.includes(value)).map(({ role }) => role);
  return strongestFirst.find((role) => fitting.includes(role)) ?? null;
}
