import type { AccountId, OrgId } from '#domain/ids.ts';
import type { RetentionKind } from '#domain/privacy/retention.ts';
import { integer, pgTable, primaryKey, text, timestamp, uuid } from '#server/platform/drizzle.ts';

const at = (name: string) => timestamp(name, { withTimezone: true });

/** How long an organization keeps a kind of data. A kind without a row is kept forever. */
export const retentionRules = pgTable(
  'retention_rules',
  {
    orgId: uuid('org_id').$type<OrgId>().notNull(),
    kind: text().$type<RetentionKind>().notNull(),
    days: integer().notNull(),
    setBy: uuid('set_by').$type<AccountId>(),
    setAt: at('set_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.orgId, table.kind] })],
);
