import type { AuditEvent } from '#domain/audit/contract.ts';

const settings = '/app/settings';

/** By the kind of what an event changed: the page that shows it. */
const paths: Record<string, (id: string, roomId: string | undefined) => string | undefined> = {
  // What else happened to or by this person, which is there after they were removed, too.
  account: (id) => `${settings}/audit-logs?person=${id}`,
  room: (id) => `/app/rooms/${id}`,
  playbook: (id) => `/app/playbooks/${id}`,
  call: (id) => `/app/calls/${id}`,
  guest_link: (_, roomId) => roomId && `/app/rooms/${roomId}`,
  invitation: () => `${settings}/team`,
  organization: () => settings,
  sso_connection: () => `${settings}/sso`,
  sso_domain: () => `${settings}/sso`,
  scim_token: () => `${settings}/provisioning`,
  scim_group: () => `${settings}/provisioning`,
  webhook: () => `${settings}/webhooks`,
  api_token: () => `${settings}/api`,
};

/** Returns the page of what an event changed; undefined if it is gone, or has none. */
export function targetPath({ entity, entityId, target }: AuditEvent): string | undefined {
  return target && entityId ? paths[entity]?.(entityId, target.roomId) : undefined;
}
