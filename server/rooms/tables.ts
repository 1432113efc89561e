import type { AccountId, GuestLinkId, OrgId, PlaybookId, RoomId } from '#domain/ids.ts';
import { pgTable, text, timestamp, uuid } from '#server/platform/drizzle.ts';

const at = (name: string) => timestamp(name, { withTimezone: true });

export const rooms = pgTable('rooms', {
  id: uuid().$type<RoomId>().primaryKey(),
  orgId: uuid('org_id').$type<OrgId>().notNull(),
  topic: text().notNull(),
  playbookId: uuid('playbook_id').$type<PlaybookId>(),
  createdBy: uuid('created_by').$type<AccountId>(),
  createdAt: at('created_at').notNull(),
  archivedAt: at('archived_at'),
  archivedBy: uuid('archived_by').$type<AccountId>(),
  lobbyAt: at('lobby_at'),
  lobbyBy: uuid('lobby_by').$type<AccountId>(),
});

export const guestLinks = pgTable('guest_links', {
  id: uuid().$type<GuestLinkId>().primaryKey(),
  orgId: uuid('org_id').$type<OrgId>().notNull(),
  roomId: uuid('room_id').$type<RoomId>().notNull(),
  createdBy: uuid('created_by').$type<AccountId>(),
  createdAt: at('created_at').notNull(),
  revokedAt: at('revoked_at'),
  revokedBy: uuid('revoked_by').$type<AccountId>(),
});
