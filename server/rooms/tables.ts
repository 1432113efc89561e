import type {
  AccountId,
  GuestLinkId,
  OrgId,
  PlaybookId,
  RoomId,
  SampleSetId,
} from '#domain/ids.ts';
import type { OpeningHours } from '#domain/rooms/opening-hours.ts';
import { integer, jsonb, pgTable, text, timestamp, uuid } from '#server/platform/drizzle.ts';

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
  waitingText: text('waiting_text'),
  personalOf: uuid('personal_of').$type<AccountId>(),
  /** The former member whose room it was: erasing them renames it. */
  wasPersonalOf: uuid('was_personal_of').$type<AccountId>(),
  sampleSetId: uuid('sample_set_id').$type<SampleSetId>(),
  customerEmail: text('customer_email'),
});

export const guestLinks = pgTable('guest_links', {
  id: uuid().$type<GuestLinkId>().primaryKey(),
  orgId: uuid('org_id').$type<OrgId>().notNull(),
  roomId: uuid('room_id').$type<RoomId>().notNull(),
  createdBy: uuid('created_by').$type<AccountId>(),
  createdAt: at('created_at').notNull(),
  /** Null for the room's main link. */
  name: text(),
  expiresAt: at('expires_at'),
  useLimit: integer('use_limit'),
  useCount: integer('use_count').notNull().default(0),
  revokedAt: at('revoked_at'),
  revokedBy: uuid('revoked_by').$type<AccountId>(),
});

export const roomOpeningHours = pgTable('room_opening_hours', {
  roomId: uuid('room_id').$type<RoomId>().primaryKey(),
  orgId: uuid('org_id').$type<OrgId>().notNull(),
  hours: jsonb().$type<OpeningHours>().notNull(),
  changedAt: at('changed_at').notNull(),
  changedBy: uuid('changed_by').$type<AccountId>(),
});

export const roomSlugs = pgTable('room_slugs', {
  slug: text().primaryKey(),
  orgId: uuid('org_id').$type<OrgId>().notNull(),
  roomId: uuid('room_id').$type<RoomId>().notNull(),
  createdAt: at('created_at').notNull(),
  createdBy: uuid('created_by').$type<AccountId>(),
  replacedAt: at('replaced_at'),
});
