import type { Role } from '#domain/auth/permissions.ts';
import type { AccountId, InvitationId, OrgId } from '#domain/ids.ts';
import { bytea, pgTable, text, timestamp, uuid } from '#server/platform/drizzle.ts';

const at = (name: string) => timestamp(name, { withTimezone: true });

export const invitations = pgTable('invitations', {
  id: uuid().$type<InvitationId>().primaryKey(),
  orgId: uuid('org_id').$type<OrgId>().notNull(),
  email: text().notNull(),
  role: text().$type<Role>().notNull(),
  tokenHash: bytea('token_hash').notNull(),
  /** Of the link that only the mailbox received; null if no mail left the machine. */
  mailedTokenHash: bytea('mailed_token_hash'),
  createdBy: uuid('created_by').$type<AccountId>(),
  createdAt: at('created_at').notNull(),
  expiresAt: at('expires_at').notNull(),
  acceptedAt: at('accepted_at'),
  acceptedBy: uuid('accepted_by').$type<AccountId>(),
  cancelledAt: at('cancelled_at'),
  cancelledBy: uuid('cancelled_by').$type<AccountId>(),
});
