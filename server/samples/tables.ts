import type { AccountId, OrgId, SampleSetId } from '#domain/ids.ts';
import { pgTable, timestamp, uuid } from '#server/platform/drizzle.ts';

/** Who loaded the organization's sample data, and when. It has at most one set. */
export const sampleSets = pgTable('sample_sets', {
  id: uuid().$type<SampleSetId>().primaryKey(),
  orgId: uuid('org_id').$type<OrgId>().notNull(),
  loadedAt: timestamp('loaded_at', { withTimezone: true }).notNull(),
  loadedBy: uuid('loaded_by').$type<AccountId>(),
});

/** What each sample room and playbook is stored with. */
export interface SampleMark {
  orgId: OrgId;
  sampleSetId: SampleSetId;
  createdBy: AccountId;
  createdAt: Date;
}
