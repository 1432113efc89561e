import type { RecordedPerson } from '#domain/recordings/contract.ts';
import type { SharedRecording } from '#domain/shares/contract.ts';

/** Returns what the player plays of a shared recording: a clip begins at 0 and ends with its own end. */
export function clipOf({
  clip,
  people,
  durationMs,
}: Pick<SharedRecording, 'clip' | 'people' | 'durationMs'>): {
  people: RecordedPerson[];
  durationMs: number;
} {
  if (!clip) return { people, durationMs };
  return {
    durationMs: Math.max(0, Math.min(clip.endMs, durationMs) - clip.startMs),
    people: people.map((person) => ({
      ...person,
      tracks: person.tracks.map((track) => ({
        ...track,
        files: track.files.map((file) => ({ ...file, startMs: file.startMs - clip.startMs })),
      })),
    })),
  };
}
