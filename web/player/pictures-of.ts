import type { RecordedTrackId } from '#domain/ids.ts';
import type { RecordedPerson } from '#domain/recordings/contract.ts';

type Track = RecordedPerson['tracks'][number];

/** A track that has a tile of its own. */
export type Picture = Omit<Track, 'source'> & {
  source: 'camera' | 'screen';
  /** A track with the sound to it, which stands for it where there is no picture. */
  sound: RecordedTrackId | null;
};

/**
 * Returns what is shown of a person. A page records camera and microphone together. A media server records them apart:
 * the sound plays with the camera, or alone in its place. A provider records everyone in one picture.
 */
export function picturesOf({ tracks }: Pick<RecordedPerson, 'tracks'>): Picture[] {
  const cameras = tracks.filter(({ source }) => source === 'camera' || source === 'everyone');
  const microphones = tracks.filter(({ source }) => source === 'microphone');
  const own = cameras.length > 0 ? cameras : microphones;
  return [
    ...own.map((track, index): Picture => {
      const sound = cameras.length > 0 ? (microphones[index]?.id ?? null) : null;
      return { ...track, source: 'camera', sound };
    }),
    ...tracks
      .filter(({ source }) => source === 'screen')
      .map((track): Picture => ({ ...track, source: 'screen', sound: null })),
  ];
}
