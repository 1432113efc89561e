import type { AccountId, CallId, OrgId, ParticipantId, TranscriptLineId } from '#domain/ids.ts';
import { integer, pgTable, text, timestamp, uuid } from '#server/platform/drizzle.ts';

const at = (name: string) => timestamp(name, { withTimezone: true });

export const transcriptLines = pgTable('transcript_lines', {
  id: uuid().$type<TranscriptLineId>().primaryKey(),
  orgId: uuid('org_id').$type<OrgId>().notNull(),
  callId: uuid('call_id').$type<CallId>().notNull(),
  participantId: uuid('participant_id').$type<ParticipantId>().notNull(),
  participantKind: text('participant_kind').$type<'staff' | 'guest'>().notNull(),
  accountId: uuid('account_id').$type<AccountId>(),
  name: text().notNull(),
  startMs: integer('start_ms').notNull(),
  endMs: integer('end_ms').notNull(),
  language: text(),
  text: text().notNull(),
  recognizedText: text('recognized_text'),
  correctedAt: at('corrected_at'),
  correctedBy: uuid('corrected_by').$type<AccountId>(),
  recognizer: text().notNull(),
  createdAt: at('created_at').notNull().defaultNow(),
});
