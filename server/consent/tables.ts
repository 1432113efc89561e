import type { CaptureKind, CaptureMode } from '#domain/consent/capture.ts';
import type {
  AccountId,
  CallId,
  CaptureId,
  ConsentId,
  OrgId,
  ParticipantId,
  RoomId,
} from '#domain/ids.ts';
import { integer, pgTable, text, timestamp, uuid } from '#server/platform/drizzle.ts';

const at = (name: string) => timestamp(name, { withTimezone: true });
const orgId = () => uuid('org_id').$type<OrgId>().notNull();

/** A row without `roomId` is the organization's. */
export const captureSettings = pgTable('capture_settings', {
  orgId: orgId(),
  roomId: uuid('room_id').$type<RoomId>(),
  kind: text().$type<CaptureKind>().notNull(),
  mode: text().$type<CaptureMode>().notNull(),
  changedAt: at('changed_at').notNull().defaultNow(),
  changedBy: uuid('changed_by').$type<AccountId>(),
});

export const captures = pgTable('captures', {
  id: uuid().$type<CaptureId>().primaryKey(),
  orgId: orgId(),
  callId: uuid('call_id').$type<CallId>().notNull(),
  kind: text().$type<CaptureKind>().notNull(),
  startedAt: at('started_at').notNull().defaultNow(),
  startedBy: uuid('started_by').$type<AccountId>(),
  stoppedAt: at('stopped_at'),
  stoppedBy: uuid('stopped_by').$type<AccountId>(),
});

export const consents = pgTable('consents', {
  id: uuid().$type<ConsentId>().primaryKey(),
  orgId: orgId(),
  roomId: uuid('room_id').$type<RoomId>().notNull(),
  callId: uuid('call_id').$type<CallId>(),
  participantId: uuid('participant_id').$type<ParticipantId>().notNull(),
  participantKind: text('participant_kind').$type<'staff' | 'guest'>().notNull(),
  accountId: uuid('account_id').$type<AccountId>(),
  name: text().notNull(),
  asked: text().array().$type<CaptureKind[]>().notNull(),
  agreed: text().array().$type<CaptureKind[]>().notNull(),
  question: text().notNull(),
  questionVersion: integer('question_version').notNull(),
  language: text().notNull(),
  clientId: text('client_id').notNull(),
  answeredAt: at('answered_at').notNull().defaultNow(),
});
