import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { orgId, transcriptLineId } from '#domain/ids.ts';
import type { Turn } from '#domain/transcripts/turn.ts';
import { openSharedThread } from '#server/platform/shared-thread.ts';
import { citableLines, sourcesOf, textOf } from './citable-lines.ts';
import { lastLines } from './offline/utterances.ts';
import { offlineAnalyzer } from './offline.ts';

const turn = (text: string, startMs: number, speaker = 'ada  l.'): Turn =>
  ({
    lineId: transcriptLineId.parse(randomUUID()),
    speaker,
    side: 'team',
    startMs,
    endMs: startMs + 1,
    text,
  }) as Turn;

const written = (text: string, turns: Turn[] = [], storedNotes = text) => ({
  ...{ text, turns, storedNotes },
});

test('each action item cites the line that it comes from, however that line ends', async () => {
  const typed = ['Ada: I will send the slides today.', '', 'Ben: I will book the room tomorrow.'];
  const turns = [
    turn('Fine.', 0),
    turn('I will call\u2028the bank on Monday.', 5000),
    turn('OK', 7),
  ];
  const given = {
    ...written(`${typed.join('\u2028')}\r`, turns, `Notes\n${typed[0]}`),
    orgId: orgId.parse(randomUUID()),
    ...{ roomTopic: null, playbookTitle: null, openItems: [], isOver: true },
    ...{ calledAt: '2026-03-10T14:00:00Z', timeZone: 'UTC' },
  };
  const items = await offlineAnalyzer(openSharedThread).findActionItems(given);
  expect(items.map(({ source }) => source)).toEqual([
    { kind: 'note', line: 2, quote: typed[0] },
    { kind: 'note', line: null, quote: typed[2] },
    {
      ...{ kind: 'line', lineId: turns[1]?.lineId, startMs: 5000, speaker: 'ada  l.' },
      quote: 'I will call the bank on Monday.',
    },
  ]);
});

test('R32-B1: of a conversation with very many lines, as many are built as are read', () => {
  const many = written('a\u2028'.repeat(150_000), [turn('Yes', 1), turn('No', 2)]);
  expect(citableLines(many, 1000)).toHaveLength(999);
  expect(citableLines(many, 1000).slice(-3)).toMatchObject([
    { ref: 'N997', text: 'a' },
    { ref: 'T1', text: 'Yes' },
    { ref: 'T2', text: 'No' },
  ]);
  expect(citableLines(many, 1)).toMatchObject([{ ref: 'T1', text: 'No' }]);
  const said = written(
    '',
    Array.from({ length: 12_000 }, (_, n) => turn(`${n}`, n)),
  );
  expect(textOf(said).split('\n')).toHaveLength(10_000);
  expect(textOf(said).slice(-12)).toBe('Ada L: 11999');
  expect(sourcesOf(said, [0, 9999])).toMatchObject([{ quote: '11999' }, { quote: '2000' }]);
});

test('the last lines of a text are counted from its end', () => {
  const text = 'one\r\ntwo\rthree\nfour\u2029five';
  const all = ['one', 'two', 'three', 'four', 'five'];
  for (const most of [1, 2, 3, 4, 5, 6]) expect(lastLines(text, most)).toEqual(all.slice(-most));
  expect(lastLines('', 3)).toEqual(['']);
  expect(lastLines('a\n\n', 2)).toEqual(['', '']);
});
