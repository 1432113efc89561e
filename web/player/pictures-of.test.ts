import { expect, test } from 'vitest';
import { recordedTrackId } from '#domain/ids.ts';
import type { RecordedSource } from '#domain/recordings/contract.ts';
import { picturesOf } from './pictures-of.ts';

const trackOf = (source: RecordedSource, number: number) => ({
  id: recordedTrackId.parse(`01a1f0d0-0000-7000-8000-00000000000${number}`),
  source,
  files: [],
});
const shown = (sources: RecordedSource[]) => {
  const tracks = sources.map(trackOf);
  const nameOf = (id: string | null) => sources[tracks.findIndex((track) => track.id === id)];
  return picturesOf({ tracks }).map(({ id, source, sound }) => [nameOf(id), source, nameOf(sound)]);
};

test('a camera is shown with the microphone that was recorded beside it', () => {
  expect(shown(['microphone', 'camera', 'screen', 'screen-sound'])).toEqual([
    ['camera', 'camera', 'microphone'],
    ['screen', 'screen', undefined],
  ]);
});

test('a microphone alone has the place of the camera, and a camera with its sound needs none', () => {
  expect(shown(['microphone'])).toEqual([['microphone', 'camera', undefined]]);
  expect(shown(['camera'])).toEqual([['camera', 'camera', undefined]]);
});
