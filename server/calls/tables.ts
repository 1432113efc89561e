import type {
  AccountId,
  CallId,
  ChatMessageId,
  ChecklistItemId,
  OrgId,
  ParticipantId,
  PlaybookId,
  RatingId,
  RoomId,
} from '#domain/ids.ts';
import {
  bigint,
  boolean,
  bytea,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  uuid,
} from '#server/platform/drizzle.ts';

const at = (name: string) => timestamp(name, { withTimezone: true });
const orgId = () => uuid('org_id').$type<OrgId>().notNull();
const callId = () => uuid('call_id').$type<CallId>().notNull();

export const calls = pgTable('calls', {
  id: uuid().$type<CallId>().primaryKey(),
  orgId: orgId(),
  roomId: uuid('room_id').$type<RoomId>().notNull(),
  playbookId: uuid('playbook_id').$type<PlaybookId>(),
  startedBy: uuid('started_by').$type<AccountId>(),
  startedAt: at('started_at').notNull(),
  endedAt: at('ended_at'),
  durationSec: integer('duration_sec'),
  lastSeenAt: at('last_seen_at').notNull(),
  openedAt: at('opened_at'),
  attendanceKnown: boolean('attendance_known').notNull().default(true),
  notesSnapshot: text('notes_snapshot'),
  createdAt: at('created_at').notNull(),
});

/** The checklist as it was when the call began, with who ticked each item and when. */
export const callChecklistItems = pgTable(
  'call_checklist_items',
  {
    orgId: orgId(),
    callId: callId(),
    itemId: uuid('item_id').$type<ChecklistItemId>().notNull(),
    text: text().notNull(),
    position: integer().notNull(),
    checkedAt: at('checked_at'),
    checkedBy: uuid('checked_by').$type<AccountId>(),
  },
  (table) => [primaryKey({ columns: [table.callId, table.itemId] })],
);

/** The updates of the notes' Yjs document, in the order in which they were stored. */
export const callNoteUpdates = pgTable('call_note_updates', {
  id: bigint({ mode: 'number' }).generatedAlwaysAsIdentity().primaryKey(),
  orgId: orgId(),
  callId: callId(),
  update: bytea().notNull(),
  createdBy: uuid('created_by').$type<AccountId>(),
});

export const attendances = pgTable('attendances', {
  id: uuid().$type<ParticipantId>().primaryKey(),
  orgId: orgId(),
  callId: callId(),
  kind: text().$type<'staff' | 'guest'>().notNull(),
  accountId: uuid('account_id').$type<AccountId>(),
  name: text().notNull(),
  joinedAt: at('joined_at').notNull(),
  lastSeenAt: at('last_seen_at').notNull(),
  leftAt: at('left_at'),
});

export const chatMessages = pgTable('chat_messages', {
  id: uuid().$type<ChatMessageId>().primaryKey(),
  orgId: orgId(),
  callId: callId(),
  participantId: uuid('participant_id').$type<ParticipantId>().notNull(),
  kind: text().$type<'staff' | 'guest'>().notNull(),
  name: text().notNull(),
  text: text().notNull(),
  clientId: text('client_id').notNull(),
  sentAt: at('sent_at').notNull(),
});

/** A score by one rater. */
export const ratings = pgTable('ratings', {
  id: uuid().$type<RatingId>().primaryKey(),
  orgId: orgId(),
  callId: callId(),
  kind: text().$type<'staff' | 'guest'>().notNull(),
  accountId: uuid('account_id').$type<AccountId>(),
  attendanceId: uuid('attendance_id').$type<ParticipantId>(),
  score: smallint().notNull(),
  feedback: text(),
  createdAt: at('created_at').notNull(),
  updatedAt: at('updated_at').notNull(),
});
