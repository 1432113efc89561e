import type { ParticipantId } from '#domain/ids.ts';
import type { RecordedSource } from '#domain/recordings/contract.ts';
import type { MediaRoom } from './media-room.ts';

/** A track that a participant sends to the media server now. */
export interface PublishedTrack {
  /** The media server's name for it, which no other track ever has. */
  name: string;
  participantId: ParticipantId;
  source: RecordedSource;
}

/** A file that the media server has written, whole. */
export interface WrittenFile {
  /** In the file store: the key that was asked for, with an extension. */
  key: string;
  mimeType: 'video/mp4' | 'video/webm' | 'audio/ogg';
  sizeBytes: number;
  /** When its first frame was sent. */
  startedAt: Date;
}

/** What the media server says about the recording of one track. */
export interface EgressReport {
  /** The media server's name for this recording. */
  name: string;
  /** The key that was asked for. */
  key: string;
  isOver: boolean;
  /** Null while it is not over, or where nothing was written. */
  file: WrittenFile | null;
  /** Why it is over, or incomplete; null where it simply ended. */
  error: string | null;
}

/**
 * Records single tracks on the media server, as they are sent: without a picture of all, and without encoding them
 * again. The files are in the file store once a report says that the recording is over.
 */
export interface TrackRecorder {
  /** @throws VideoEngineError */
  tracks(room: MediaRoom): Promise<PublishedTrack[]>;
  /**
   * Begins to record a track into the file store, under the key and an extension.
   * @returns the media server's name for the recording
   * @throws VideoEngineError also if nobody knows whether it has begun: look for its key in `reports`
   */
  start(room: MediaRoom, track: string, key: string): Promise<string>;
  /** Ends a recording; that it is over is reported later. One that is over is no error. @throws VideoEngineError */
  stop(name: string): Promise<void>;
  /** Returns what is known about the recordings of a room, or about one. @throws VideoEngineError */
  reports(of: { room: MediaRoom } | { name: string }): Promise<EgressReport[]>;
}
