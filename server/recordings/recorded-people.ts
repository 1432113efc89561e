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
  for (const files of Map.groupBy(rows, ({ trackId }) => trackId).values()) {
    const goesOn = tracks.find(
      (track) => track[0]?.source === files[0]?.source && !areAtOnce(track, files),
    );
    if (goesOn) goesOn.push(...files);
    else tracks.push([...files]);
  }
  return tracks.map((files) => files.toSorted((a, b) => a.startMs - b.startMs));
}

const areAtOnce = (some: readonly RecordedRow[], others: readonly RecordedRow[]) =>
  some.some((one) => others.some((other) => overlapMs(one, other) > largestOverlapMs));

const overlapMs = (one: RecordedRow, other: RecordedRow) =>
  Math.min(endOf(one), endOf(other)) - Math.max(one.startMs, other.startMs);

const endOf = ({ startMs, durationMs }: RecordedRow) => startMs + (durationMs ?? 0);
