import type { ParticipantId, TranscriptLineId } from '#domain/ids.ts';

/** A phrase of a call's transcript. Times are milliseconds after the call's start. */
export interface Turn {
  lineId: TranscriptLineId;
  participantId: ParticipantId;
  speaker: string;
  side: 'team' | 'customer';
  startMs: number;
  endMs: number;
  /** BCP 47, null where it is not known. */
  language: string | null;
  text: string;
}
