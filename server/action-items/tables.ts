import type { Priority } from '#domain/ai/contract.ts';
import type { AccountId, ActionItemId, CallId, OrgId } from '#domain/ids.ts';
import {
  boolean,
  integer,
  pgTable,
  real,
  text,
  timestamp,
  uuid,
} from '#server/platform/drizzle.ts';

/** One row for each call that has a list, with the analyzer that generated it last. */
export const actionItemLists = pgTable('action_item_lists', {
  callId: uuid('call_id').$type<CallId>().primaryKey(),
  orgId: uuid('org_id').$type<OrgId>().notNull(),
  analyzer: text(),
  offline: boolean(),
  createdBy: uuid('created_by').$type<AccountId>(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
});

export const actionItems = pgTable('action_items', {
  id: uuid().$type<ActionItemId>().primaryKey(),
  orgId: uuid('org_id').$type<OrgId>().notNull(),
  callId: uuid('call_id').$type<CallId>().notNull(),
  position: integer().notNull(),
  priority: text().$type<Priority>().notNull(),
  confidence: real().notNull(),
  title: text().notNull(),
  description: text().notNull(),
  owner: text(),
  due: text(),
});
