import type { OrgId } from '#domain/ids.ts';
import type { plans } from '#domain/organizations/contract.ts';
import { pgTable, text, timestamp, uuid } from '#server/platform/drizzle.ts';

export const organizations = pgTable('organizations', {
  id: uuid().$type<OrgId>().primaryKey(),
  name: text().notNull(),
  brandColor: text('brand_color').notNull(),
  plan: text().$type<(typeof plans)[number]>().notNull(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
});
