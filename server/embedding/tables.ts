import type { AccountId, OrgId } from '#domain/ids.ts';
import { pgTable, primaryKey, text, timestamp, uuid } from '#server/platform/drizzle.ts';

export const embeddingOrigins = pgTable(
  'embedding_origins',
  {
    orgId: uuid('org_id').$type<OrgId>().notNull(),
    origin: text().notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
    createdBy: uuid('created_by').$type<AccountId>(),
  },
  (table) => [primaryKey({ columns: [table.orgId, table.origin] })],
);
