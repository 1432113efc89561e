import type { AccountId, ApiTokenId, OrgId, ParticipantId, RoomId } from '#domain/ids.ts';

export const roles = ['SUPERADMIN', 'ORGADMIN', 'AGENT', 'VIEWER'] as const;
export type Role = (typeof roles)[number];

const everyone = roles;
const staff = ['SUPERADMIN', 'ORGADMIN', 'AGENT'] as const satisfies readonly Role[];
/** The roles of an organization's admins. */
export const adminRoles: readonly Role[] = ['SUPERADMIN', 'ORGADMIN'];

/**
 * The permission table, which routes, sockets and pages share (docs/spec.md, section 6, and
 * docs/product-decisions.md).
 */
export const permissions = {
  'organization.read': everyone,
  'organization.update': adminRoles,
  'organization.delete': adminRoles,
  'billing.read': everyone,
  'billing.manage': adminRoles,
  'team.read': everyone,
  'team.manage': adminRoles,
  'security.manage': adminRoles,
  'audit.read': adminRoles,
  'sso.manage': adminRoles,
  'scim.manage': adminRoles,
  'privacy.manage': adminRoles,
  'analytics.read': everyone,
  'playbooks.read': everyone,
  'playbooks.create': staff,
  'playbooks.update': staff,
  'playbooks.archive': staff,
  'rooms.read': everyone,
  'rooms.create': staff,
  'rooms.update': staff,
  'rooms.archive': staff,
  'rooms.share': staff,
  'calls.read': everyone,
  'calls.attend': everyone,
  'calls.start': staff,
  'calls.update': staff,
  'ai.analyze': staff,
  'recordings.start': staff,
  'recordings.share': staff,
  'recordings.delete': adminRoles,
  'samples.manage': adminRoles,
  'webhooks.manage': adminRoles,
  'api_tokens.manage': adminRoles,
  'crm.manage': adminRoles,
} as const satisfies Record<string, readonly Role[]>;

export type Permission = keyof typeof permissions;

export interface UserActor {
  kind: 'user';
  accountId: AccountId;
  orgId: OrgId;
  role: Role;
  /** The person's token, if they act by one. */
  apiTokenId?: ApiTokenId;
}
export interface GuestActor {
  kind: 'guest';
  participantId: ParticipantId;
  orgId: OrgId;
  roomId: RoomId;
}
export interface TokenActor {
  kind: 'token';
  /** Of the organization's directory, or of its own programs. */
  of: 'scim' | 'api';
  tokenId: string;
  orgId: OrgId;
  role: Role;
}
/** A job or the operator's command line, identified by `name`. */
export interface SystemActor {
  kind: 'system';
  name: string;
  orgId: OrgId;
}
/** The actor in permission checks and audit events. */
export type Actor = UserActor | GuestActor | TokenActor | SystemActor;

/**
 * Returns whether the actor has the permission. Guests may only attend their room; the system may
 * do everything.
 */
export function can(actor: Actor, permission: Permission): boolean {
  switch (actor.kind) {
    case 'system':
      return true;
    case 'guest':
      return permission === 'calls.attend';
    case 'user':
    case 'token':
      return roleMay(actor.role, permission);
  }
}

/** Returns the roles that have a permission; all roles for null. */
export const rolesWith = (permission: Permission | null): readonly Role[] =>
  permission === null ? everyone : permissions[permission];

export const roleMay = (role: Role, permission: Permission): boolean =>
  rolesWith(permission).includes(role);
