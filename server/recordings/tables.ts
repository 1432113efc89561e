import type {
  AccountId,
  CallId,
  OrgId,
  ParticipantId,
  RecordedMediaId,
  RecordedSegmentId,
  RecordedTrackId,
} from '#domain/ids.ts';
import type { MediaState, RecordedSource } from '#domain/recordings/contract.ts';
import {
  bigint,
  boolean,
  bytea,
  integer,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uuid,
} from '#server/platform/drizzle.ts';

const at = (name: string) => timestamp(name, { withTimezone: true });
const orgId = () => uuid('org_id').$type<OrgId>().notNull();

export const recordedTracks = pgTable('recorded_tracks', {
  id: uuid().$type<RecordedTrackId>().primaryKey(),
  orgId: orgId(),
  callId: uuid('call_id').$type<CallId>().notNull(),
  participantId: uuid('participant_id').$type<ParticipantId>().notNull(),
  participantKind: text('participant_kind').$type<'staff' | 'guest'>().notNull(),
  accountId: uuid('account_id').$type<AccountId>(),
  name: text().notNull(),
  source: text().$type<RecordedSource>().notNull(),
  createdAt: at('created_at').notNull().defaultNow(),
});

export const recordedSegments = pgTable('recorded_segments', {
  id: uuid().$type<RecordedSegmentId>().primaryKey(),
  orgId: orgId(),
  trackId: uuid('track_id').$type<RecordedTrackId>().notNull(),
  startedAt: at('started_at').notNull(),
  mimeType: text('mime_type').notNull(),
  hasVideo: boolean('has_video').notNull(),
  sizeBytes: bigint('size_bytes', { mode: 'number' }).notNull().default(0),
  partCount: integer('part_count'),
  completedAt: at('completed_at'),
  storedParts: integer('stored_parts').notNull().default(0),
  lastPartAt: at('last_part_at'),
  partsDeletedAt: at('parts_deleted_at'),
});

export const recordedParts = pgTable(
  'recorded_parts',
  {
    orgId: orgId(),
    segmentId: uuid('segment_id').$type<RecordedSegmentId>().notNull(),
    number: integer().notNull(),
    sizeBytes: integer('size_bytes').notNull(),
    sha256: bytea().notNull(),
    receivedAt: at('received_at').notNull().defaultNow(),
    fileKey: text('file_key').notNull(),
    position: bigint({ mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.segmentId, table.number] })],
);

export const recordedMedia = pgTable('recorded_media', {
  id: uuid().$type<RecordedMediaId>().primaryKey(),
  orgId: orgId(),
  trackId: uuid('track_id').$type<RecordedTrackId>().notNull(),
  segmentId: uuid('segment_id').$type<RecordedSegmentId>().notNull(),
  state: text().$type<MediaState>().notNull(),
  startedAt: at('started_at').notNull(),
  durationMs: integer('duration_ms'),
  mimeType: text('mime_type'),
  sizeBytes: bigint('size_bytes', { mode: 'number' }),
  fileKey: text('file_key'),
  posterKey: text('poster_key'),
  waveform: bytea(),
  attempts: integer().notNull().default(0),
  nextAttemptAt: at('next_attempt_at').notNull().defaultNow(),
  error: text(),
  joinedParts: integer('joined_parts'),
});

export const discardedFiles = pgTable('discarded_files', {
  fileKey: text('file_key').primaryKey(),
  orgId: orgId(),
  discardedAt: at('discarded_at').notNull().defaultNow(),
});

export const legalHolds = pgTable('legal_holds', {
  callId: uuid('call_id').$type<CallId>().primaryKey(),
  orgId: orgId(),
  reason: text().notNull(),
  placedAt: at('placed_at').notNull().defaultNow(),
  placedBy: uuid('placed_by').$type<AccountId>(),
});
