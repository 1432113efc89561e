import { z } from 'zod';
import type { Actor } from '#domain/auth/permissions.ts';
import type { TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';

/** A change for the audit log. Actions have the spec's form: upper-case words joined by underscores. */
export interface AuditEntry {
  action: Uppercase<string>;
  entity:
    | 'account'
    | 'invitation'
    | 'organization'
    | 'playbook'
    | 'room'
    | 'guest_link'
    | 'call'
    | 'file'
    | 'sso_connection'
    | 'sso_domain'
    | 'scim_token'
    | 'scim_group'
    | 'webhook'
    | 'api_token'
    | 'crm_connection';
  entityId: string;
  /** IDs and names of fields, never content. */
  metadata?: Record<string, unknown>;
}

const eventId = z.uuid();

/** Names the token by which a person acts. */
function metadataOf(actor: Actor, { metadata }: AuditEntry) {
  if (actor.kind !== 'user' || actor.apiTokenId === undefined) return metadata ?? null;
  return { ...metadata, apiToken: actor.apiTokenId };
}

export function actorId(actor: Actor): string {
  switch (actor.kind) {
    case 'user':
      return actor.accountId;
    case 'guest':
      return actor.participantId;
    case 'token':
      return actor.tokenId;
    case 'system':
      return actor.name;
  }
}

/** A prepared statement, because every change pays for it (bench/checks.ts). */
export const insertEvent: Statement = {
  name: 'insert_audit_event',
  text: `insert into audit_events (id, org_id, actor_kind, actor_id, action, entity, entity_id,
      metadata, address, created_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
};

/** Inserts an audit event in the transaction of its change. */
export async function recordEvent(at: TenantConnection, entry: AuditEntry): Promise<void> {
  const row = auditRow(at.tenant, entry);
  const metadata = row.metadata && JSON.stringify(row.metadata);
  await at.run(insertEvent, [
    ...[row.id, row.orgId, row.actorKind, row.actorId, row.action, row.entity, row.entityId],
    ...[metadata, row.address, row.createdAt],
  ]);
}

/** Inserts the events of many changes in one transaction. */
export async function recordEvents(at: TenantConnection, entries: AuditEntry[]): Promise<void> {
  const rows = entries.map((entry) => auditRow(at.tenant, entry));
  const [first] = rows;
  if (!first) return;
  await at.run(insertEvents, [
    ...[first.orgId, first.actorKind, first.actorId, first.address, first.createdAt],
    rows.map(({ id }) => id),
    rows.map(({ action }) => action),
    rows.map(({ entity }) => entity),
    rows.map(({ entityId }) => entityId),
    rows.map(({ metadata }) => metadata && JSON.stringify(metadata)),
  ]);
}
const insertEvents: Statement = {
  name: 'insert_audit_events',
  text: `insert into audit_events (id, org_id, actor_kind, actor_id, action, entity, entity_id,
      metadata, address, created_at)
    select id, $1, $2, $3, action, entity, entity_id, metadata::jsonb, $4, $5
    from unnest($6::uuid[], $7::text[], $8::text[], $9::uuid[], $10::text[])
      as given (id, action, entity, entity_id, metadata)`,
};

/** Returns the row of an audit event, for a statement that inserts it together with the change. */
export function auditRow(tenant: TenantConnection['tenant'], entry: AuditEntry) {
  return {
    id: newId(eventId),
    orgId: tenant.orgId,
    actorKind: tenant.actor.kind,
    actorId: actorId(tenant.actor),
    action: entry.action,
    entity: entry.entity,
    entityId: entry.entityId,
    metadata: metadataOf(tenant.actor, entry),
    address: tenant.address,
    createdAt: new Date(),
  };
}
