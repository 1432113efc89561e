import type { Role } from '#domain/auth/permissions.ts';

/** Roles that a group may be mapped to, highest first. Never SUPERADMIN, which runs the installation. */
export const groupRoles = ['ORGADMIN', 'AGENT', 'VIEWER'] as const satisfies readonly Role[];
export type GroupRole = (typeof groupRoles)[number];

/** Roles of people without a mapped group, as chosen by an admin. */
export const defaultRoles = ['AGENT', 'VIEWER'] as const satisfies readonly GroupRole[];
export type DefaultRole = (typeof defaultRoles)[number];
export const firstDefaultRole: DefaultRole = 'VIEWER';

/**
 * Returns a person's new role. The highest role of the mapped groups applies. After leaving the
 * last of them, the person gets the default role. A role that no group gave is left to the admins.
 */
export function decideRole(
  now: { role: Role; fromGroups: GroupRole | null },
  mapped: GroupRole | null,
  fallback: DefaultRole,
): Role {
  if (now.role === 'SUPERADMIN') return now.role;
  if (mapped) return mapped;
  return now.fromGroups ? fallback : now.role;
}

/** Returns the role of a person who returns: the previous one, except that only a group makes an admin. */
export const returningRole = (before: Role | null, fallback: DefaultRole): DefaultRole =>
  defaultRoles.find((role) => role === before) ?? fallback;
