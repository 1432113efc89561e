import type { RecordedMediaId, RecordedTrackId } from '#domain/ids.ts';
import type { RecordedFile, RecordedPerson, RecordedSource } from '#domain/recordings/contract.ts';

/** A file of the recording, with the track and the person that it belongs to. */
export interface PlayedFile {
  id: RecordedMediaId;
  trackId: RecordedTrackId;
  participantId: RecordedPerson['participantId'];
  source: RecordedSource;
  hasVideo: boolean;
  url: string;
  posterUrl: string | null;
  startMs: number;
  /** Exclusive. */
  endMs: number;
}

/** Returns the files that can be played, each until the next one of its track begins. */
export function playedFiles(people: readonly RecordedPerson[]): PlayedFile[] {
  return people.flatMap(({ participantId, tracks }) =>
    tracks.flatMap(({ id: trackId, source, files }) => {
      const ready = files.filter(isPlayable).toSorted((a, b) => a.startMs - b.startMs);
      return ready.map(({ id, url, posterUrl, hasVideo, startMs, durationMs }, index) => ({
        id,
        trackId,
        participantId,
        source,
        hasVideo,
        url,
        posterUrl,
        startMs,
        endMs: Math.min(startMs + durationMs, ready[index + 1]?.startMs ?? Number.MAX_SAFE_INTEGER),
      }));
    }),
  );
}

const isPlayable = (
  file: RecordedFile,
): file is RecordedFile & { url: string; durationMs: number } =>
  file.state === 'ready' && file.url !== null && file.durationMs !== null;

/** Returns the file of a track at a position; null in a gap. */
export const fileAt = (files: readonly PlayedFile[], positionMs: number): PlayedFile | null =>
  files.find(({ startMs, endMs }) => positionMs >= startMs && positionMs < endMs) ?? null;
