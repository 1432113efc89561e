import type { Role } from '#domain/auth/permissions.ts';
import { integer, pgTable, text, timestamp, uuid } from '#server/platform/drizzle.ts';

const at = (name: string) => timestamp(name, { withTimezone: true });

/** Mails to be sent, and sent ones for 30 days. Row-level security restricts organizations to their own. */
export const mails = pgTable('mails', {
  id: uuid().primaryKey(),
  /** Null for mail about an account or the installation. */
  orgId: uuid('org_id'),
  /** The account that the mail is about, and is deleted with. */
  accountId: uuid('account_id'),
  kind: text().notNull(),
  /** The call that the mail is about, and is deleted with. */
  callId: uuid('call_id'),
  /** The room that the mail is about: it may name guests who wait there. */
  roomId: uuid('room_id'),
  /** Roles whose holders may read it; null for any. */
  roles: text().array().$type<Role[]>(),
  recipient: text().notNull(),
  subject: text().notNull(),
  /** Both are emptied once the mail is sent or given up, because their links work until they are used. */
  bodyText: text('body_text').notNull(),
  bodyHtml: text('body_html').notNull(),
  /** Emptied with the bodies. */
  unsubscribeUrl: text('unsubscribe_url'),
  createdAt: at('created_at').notNull(),
  attempts: integer().notNull(),
  nextTryAt: at('next_try_at').notNull(),
  lastError: text('last_error'),
  sentAt: at('sent_at'),
});
