import type { Readable } from 'node:stream';
import type { ParticipantId, RecordedSegmentId } from '#domain/ids.ts';
import type { HostedRoom, RequestTurn } from './hosted-room.ts';

/** What a hosted provider says about one of its recordings. */
export interface HostedRecording {
  /** The provider's name for it. */
  id: string;
  startedAt: Date;
  /** Its file can be fetched. */
  isOver: boolean;
}

/** A file that is being fetched. */
export interface HostedFile {
  content: Readable;
  sizeBytes: number;
}

/** What a provider says about a recording. Any of it may be repeated, late, or lost. */
export type RecordingEvent =
  | { kind: 'started'; instance: string; recordingId: string }
  | { kind: 'failed'; instance: string; room: HostedRoom; error: string }
  | { kind: 'ready'; recordingId: string; room: HostedRoom; startedAt: Date };

/**
 * Records the call of a hosted page at its provider: one file with everyone. It knows nobody's consent, so who calls
 * `start` has to.
 */
export interface HostedRecorder {
  /**
   * Returns who is in the call by the provider's count, which may be 15 seconds old; null for each person without a
   * token of ours.
   * @throws VideoEngineError
   */
  present(room: HostedRoom, turn: RequestTurn): Promise<(ParticipantId | null)[]>;
  /**
   * Begins to record everyone.
   * @param recording names it in `stop`, and in the provider's events
   * @throws VideoEngineError also if nobody knows whether it has begun
   */
  start(room: HostedRoom, recording: RecordedSegmentId, turn: RequestTurn): Promise<void>;
  /** Ends a recording. One that does not run is no error. @throws VideoEngineError */
  stop(room: HostedRoom, recording: string, turn: RequestTurn): Promise<void>;
  /** Returns the newest recordings of a room. @throws VideoEngineError */
  ofRoom(room: HostedRoom, turn: RequestTurn): Promise<HostedRecording[]>;
  /** Returns the room of a recording; null if it is not a room of ours, or unknown. @throws VideoEngineError */
  roomOf(id: string, turn: RequestTurn): Promise<HostedRoom | null>;
  /** Opens the file of a recording that is over. @throws VideoEngineError */
  open(id: string, turn: RequestTurn): Promise<HostedFile>;
  /** Deletes a recording at the provider. An unknown one is no error. @throws VideoEngineError */
  delete(id: string, turn: RequestTurn): Promise<void>;
}
