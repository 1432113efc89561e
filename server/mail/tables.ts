import { integer, pgTable, text, timestamp, uuid } from '#server/platform/drizzle.ts';

const at = (name: string) => timestamp(name, { withTimezone: true });

/** Mails to be sent, and that were. They belong to the installation, not to a tenant. */
export const mails = pgTable('mails', {
  id: uuid().primaryKey(),
  recipient: text().notNull(),
  subject: text().notNull(),
  bodyText: text('body_text').notNull(),
  bodyHtml: text('body_html').notNull(),
  createdAt: at('created_at').notNull(),
  attempts: integer().notNull(),
  nextTryAt: at('next_try_at').notNull(),
  lastError: text('last_error'),
  sentAt: at('sent_at'),
});
