import type { Role } from '#domain/auth/permissions.ts';

/** What a group may be mapped to, the highest first. Never SUPERADMIN: that one runs the installation. */
export const groupRoles = ['ORGADMIN', 'AGENT', 'VIEWER'] as const satisfies readonly Role[];
export type GroupRole = (typeof groupRoles)[number];

/** What people without a mapped group become, as an admin chooses. */
export const defaultRoles = ['AGENT', 'VIEWER'] as const satisfies readonly GroupRole[];
export type DefaultRole = (typeof defaultRoles)[number];
export const firstDefaultRole: DefaultRole = 'VIEWER';

/**
 * The role that somebody has from now on. The highest of the mapped groups decides. Who has left the
 * last of them falls back to the default; a role that no group gave is left to the admins.
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

/** The role of somebody who comes back: as before, but that of an admin only by a group. */
export const returningRole = (before: Role | null, fallback: DefaultRole): DefaultRole =>
  defaultRoles.find((role) => role === before) ?? fallback;
