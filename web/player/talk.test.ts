import { expect, test } from 'vitest';
import { recordedPerson } from '#domain/recordings/contract.ts';
import { transcriptLine } from '#domain/transcripts/contract.ts';
import { lanesOf, talkShare } from './talk.ts';

const id = (number: number) => `01890000-0000-7000-8000-${String(number).padStart(12, '0')}`;
const loud = (seconds: number) => Array.from({ length: seconds * 10 }, () => 200);
const quiet = (seconds: number) => Array.from({ length: seconds * 10 }, () => 3);

const person = (number: number, name: string, waveform: number[], startMs = 0) =>
  recordedPerson.parse({
    participantId: id(number),
    name,
    kind: 'staff',
    tracks: [
      {
        id: id(number + 10),
        source: 'camera',
        files: [
          {
            id: id(number + 20),
            state: 'ready',
            url: '/x',
            posterUrl: null,
            mimeType: null,
            hasVideo: false,
            startMs,
            durationMs: waveform.length * 100,
            sizeBytes: null,
            waveform,
          },
        ],
      },
    ],
  });
const line = (number: number, startMs: number, endMs: number) =>
  transcriptLine.parse({
    id: id(startMs),
    participantId: id(number),
    name: `Person ${number}`,
    kind: 'guest',
    startMs,
    endMs,
    language: null,
    text: 'Hello',
    recognizedText: null,
  });

test('a lane shows when a person talks on the call’s clock, without the short pauses between words', () => {
  const talk = [...loud(3), ...quiet(1), ...loud(2), ...quiet(20)];
  const [lane] = lanesOf([person(1, 'Ada', talk, 5000)], []);
  expect(lane).toMatchObject({ name: 'Ada', talk: [{ startMs: 5000, endMs: 11_000 }] });
});

test('noise alone is not talk, and a person whose sound was not recorded talks where the transcript says so', () => {
  const lanes = lanesOf(
    [person(1, 'Ada', [...loud(2), ...quiet(8)]), person(2, 'Grace', quiet(10))],
    [line(2, 4000, 6000), line(1, 8000, 9000), line(3, 9000, 11_000)],
  );
  expect(lanes.map(({ participantId, talk }) => [participantId, talk])).toEqual([
    [id(1), [{ startMs: 0, endMs: 2000 }]],
    [id(2), [{ startMs: 4000, endMs: 6000 }]],
    [id(3), [{ startMs: 9000, endMs: 11_000 }]],
  ]);
  expect(lanes.map((lane) => Math.round(talkShare(lane, lanes) * 100))).toEqual([33, 33, 33]);
});

test('people who are shown together have different colors', () => {
  const names = ['Ada', 'Grace', 'Linus', 'Barbara', 'Max', 'Nina', 'Luis', 'Amara'];
  const lanes = lanesOf(
    names.map((name, index) => person(index, name, [...loud(1), ...quiet(9)])),
    [],
  );
  expect(new Set(lanes.map(({ hue }) => hue)).size).toBe(names.length);
});
