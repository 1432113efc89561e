import type { AccountId, FileId, OrgId } from '#domain/ids.ts';
import type { plans } from '#domain/organizations/contract.ts';
import { bigint, bytea, pgTable, text, timestamp, uuid } from '#server/platform/drizzle.ts';

export const organizations = pgTable('organizations', {
  id: uuid().$type<OrgId>().primaryKey(),
  name: text().notNull(),
  brandColor: text('brand_color').notNull(),
  plan: text().$type<(typeof plans)[number]>().notNull(),
  logoFileId: uuid('logo_file_id').$type<FileId>(),
  waitingText: text('waiting_text'),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
});

/** The files in the file store, by their key. */
export const files = pgTable('files', {
  id: uuid().$type<FileId>().primaryKey(),
  orgId: uuid('org_id').$type<OrgId>().notNull(),
  kind: text().$type<'logo' | 'portrait'>().notNull(),
  key: text().notNull(),
  name: text().notNull(),
  contentType: text('content_type').notNull(),
  sizeBytes: bigint('size_bytes', { mode: 'number' }).notNull(),
  sha256: bytea().notNull(),
  createdBy: uuid('created_by').$type<AccountId>(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
});

/** An organization that is scheduled for deletion. */
export const organizationDeletions = pgTable('organization_deletions', {
  orgId: uuid('org_id').$type<OrgId>().primaryKey(),
  requestedBy: uuid('requested_by').$type<AccountId>(),
  requestedAt: timestamp('requested_at', { withTimezone: true }).notNull(),
  dueAt: timestamp('due_at', { withTimezone: true }).notNull(),
  /** From then on it cannot be canceled. */
  begunAt: timestamp('begun_at', { withTimezone: true }),
});
