import type { AccountId, CallId, ParticipantId, RecordedMediaId } from '#domain/ids.ts';

/** A recorded file of a participant, whose transcript is aligned with it. */
export interface MediaOfCall {
  mediaId: RecordedMediaId;
  callId: CallId;
  participantId: ParticipantId;
  kind: 'staff' | 'guest';
  accountId: AccountId | null;
  name: string;
  fileKey: string;
  callStartedAt: Date;
  /** Of the file, in milliseconds on the call's clock. */
  startMs: number;
  durationMs: number;
  sizeBytes: number;
}
