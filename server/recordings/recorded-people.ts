import type { ParticipantId, RecordedTrackId } from '#domain/ids.ts';
import type { RecordedFile, RecordedPerson, RecordedSource } from '#domain/recordings/contract.ts';

/** A file as the database has it, with the person and the track that it belongs to. */
export interface RecordedRow {
  /** Of the person, who may have joined again: see `samePerson` (server/consent/same-person.ts). */
  participantId: ParticipantId;
  name: string;
  kind: 'staff' | 'guest';
  trackId: RecordedTrackId;
  source: RecordedSource;
  startMs: number;
  durationMs: number | null;
}

/** The clocks of two pages differ by less. The later file is played where two meet. */
const largestOverlapMs = 1000;

/**
 * Returns the people of a recording. What a person's pages recorded one after the other is one track, so that someone
 * who reloaded has one picture; what two devices recorded at once stays apart.
 */
export function recordedPeople<Row extends RecordedRow>(
  rows: readonly Row[],
  toFile: (row: Row) => RecordedFile,
): RecordedPerson[] {
  const byPerson = Map.groupBy(rows, ({ participantId }) => participantId);
  return [...byPerson].flatMap(([participantId, own]) => {
    const [first] = own;
    if (!first) return [];
    const tracks = tracksOf(own).flatMap((files) =>
      files[0] ? [{ id: files[0].trackId, source: files[0].source, files: files.map(toFile) }] : [],
    );
    return [{ participantId, name: first.name, kind: first.kind, tracks }];
  });
}

function tracksOf<Row extends RecordedRow>(rows: readonly Row[]): Row[][] {
  const tracks: Row[][] = [];
  for (const group of Map.groupBy(rows, ({ trackId }) => trackId).values()) {
    const files = group.toSorted(byStart);
    const goesOn = tracks.findIndex(
      (track) => track[0]?.source === files[0]?.source && !areAtOnce(track, files),
    );
    if (goesOn < 0) tracks.push(files);
    else tracks[goesOn] = [...(tracks[goesOn] ?? []), ...files].sort(byStart);
  }
  return tracks;
}

const byStart = (a: RecordedRow, b: RecordedRow) => a.startMs - b.startMs;

/**
 * Whether any of some files overlap any of the others by more than clocks differ. Both are in the order of their
 * starts, in which they are passed once: comparing all pairs of two thousand files takes the server's thread for 15 ms.
 */
function areAtOnce(some: readonly RecordedRow[], others: readonly RecordedRow[]): boolean {
  let [at, otherAt] = [0, 0];
  let [until, otherUntil] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (;;) {
    const [one, other] = [some[at], others[otherAt]];
    if (one && (!other || one.startMs <= other.startMs)) {
      if (startsWithin(one, otherUntil)) return true;
      until = Math.max(until, countedEnd(one));
      at += 1;
    } else if (other) {
      if (startsWithin(other, until)) return true;
      otherUntil = Math.max(otherUntil, countedEnd(other));
      otherAt += 1;
    } else return false;
  }
}

/** Two files overlap by more than that if they overlap without their last second. */
const countedEnd = (row: RecordedRow) => endOf(row) - largestOverlapMs;
const startsWithin = (row: RecordedRow, until: number) =>
  row.startMs < Math.min(until, countedEnd(row));

const endOf = ({ startMs, durationMs }: RecordedRow) => startMs + (durationMs ?? 0);
