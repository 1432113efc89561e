import type { ParticipantId, RecordedMediaId, RecordedTrackId } from '#domain/ids.ts';

export const rates = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2] as const;
export type Rate = (typeof rates)[number];

export interface PlayerState {
  /** `buffering`: it plays on as soon as the files at its position are loaded. */
  status: 'paused' | 'playing' | 'buffering';
  positionMs: number;
  durationMs: number;
  rate: Rate;
  skipsSilence: boolean;
  /** 0 to 1. */
  volume: number;
  isMuted: boolean;
  /** Neither seen nor heard. */
  hidden: ReadonlySet<ParticipantId>;
  /** The file of each track at the position. */
  shown: ReadonlyMap<RecordedTrackId, RecordedMediaId>;
  /** Files that could not be loaded; the others play without them. */
  failed: ReadonlySet<RecordedMediaId>;
}
