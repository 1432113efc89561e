import type { AccountId, CallId, OrgId, ShareId } from '#domain/ids.ts';
import { bytea, integer, pgTable, text, timestamp, uuid } from '#server/platform/drizzle.ts';

const at = (name: string) => timestamp(name, { withTimezone: true });

export const recordingShares = pgTable('recording_shares', {
  id: uuid().$type<ShareId>().primaryKey(),
  orgId: uuid('org_id').$type<OrgId>().notNull(),
  callId: uuid('call_id').$type<CallId>().notNull(),
  tokenHash: bytea('token_hash').notNull(),
  title: text(),
  startMs: integer('start_ms'),
  endMs: integer('end_ms'),
  createdAt: at('created_at').notNull().defaultNow(),
  createdBy: uuid('created_by').$type<AccountId>(),
  expiresAt: at('expires_at').notNull(),
  revokedAt: at('revoked_at'),
  revokedBy: uuid('revoked_by').$type<AccountId>(),
  lastViewedAt: at('last_viewed_at'),
});
