import type { AccountId, OrgId, PlaybookId, SampleSetId } from '#domain/ids.ts';
import { integer, pgTable, text, timestamp, uuid } from '#server/platform/drizzle.ts';

const at = (name: string) => timestamp(name, { withTimezone: true });

export const playbooks = pgTable('playbooks', {
  id: uuid().$type<PlaybookId>().primaryKey(),
  orgId: uuid('org_id').$type<OrgId>().notNull(),
  title: text().notNull(),
  description: text(),
  createdBy: uuid('created_by').$type<AccountId>(),
  createdAt: at('created_at').notNull(),
  version: integer().notNull().default(1),
  updatedAt: at('updated_at').notNull(),
  updatedBy: uuid('updated_by').$type<AccountId>(),
  archivedAt: at('archived_at'),
  archivedBy: uuid('archived_by').$type<AccountId>(),
  sampleSetId: uuid('sample_set_id').$type<SampleSetId>(),
});
