import type { OrgId } from '#domain/ids.ts';
import { jsonb, pgTable, text, timestamp, uuid } from '#server/platform/drizzle.ts';

export const auditEvents = pgTable('audit_events', {
  id: uuid().primaryKey(),
  orgId: uuid('org_id').$type<OrgId>().notNull(),
  actorKind: text('actor_kind', { enum: ['user', 'guest', 'token', 'system'] }).notNull(),
  actorId: text('actor_id'),
  action: text().notNull(),
  entity: text().notNull(),
  entityId: uuid('entity_id'),
  metadata: jsonb().$type<Record<string, unknown>>(),
  address: text(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
});
