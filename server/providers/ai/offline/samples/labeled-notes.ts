import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface LabeledTask {
  /** Counted from 0. */
  line: number;
  owner: string | null;
  on: string | null;
}
export interface LabeledNotes {
  language: 'en' | 'de';
  customer: 'unhappy' | 'neutral' | 'satisfied';
  calledAt: string;
  text: string;
  tasks: LabeledTask[];
}

const names = [
  'en-1',
  'en-2',
  'en-3',
  'en-4',
  'en-5',
  'en-6',
  'en-7',
  'en-8',
  'en-9',
  'en-10',
  'en-11',
  'en-12',
  'en-13',
  'de',
  'de-2',
  'de-3',
  'de-4',
  'de-5',
  'de-6',
  'de-7',
  'de-8',
  'de-9',
  'de-10',
  'de-11',
  'de-12',
];

/** A note of which only the mood is labeled. */
export interface LabeledMood {
  /** Written together, before the analyzer read one of them. */
  round: string;
  language: 'en' | 'de';
  text: string;
  isUnhappy: boolean;
}

const languageOf = (name: string) => (name.startsWith('de') ? ('de' as const) : ('en' as const));
const lastRound = ['en-13', 'de-12'];

/** Returns the moods of all notes, those of `moods/` too, by the round that they were written in. */
export function labeledMoods(): LabeledMood[] {
  const early = names.flatMap((name) =>
    blocksOf(`notes/${name}`).map(({ head, lines }) => ({
      round: lastRound.includes(name) ? 'round 4' : 'earlier notes',
      language: languageOf(name),
      text: unlabeled(lines),
      isUnhappy: head.startsWith('unhappy'),
    })),
  );
  const late = [1, 2, 3, 4, 5, 6, 7].flatMap((number) =>
    ['en', 'de'].flatMap((language) =>
      blocksOf(`moods/${language}-${number}`).map(({ head, lines }) => ({
        round: `round ${number + 4}`,
        language: languageOf(language),
        text: lines.join('\n'),
        isUnhappy: head === 'unhappy',
      })),
    ),
  );
  return [...early, ...late];
}

/** Returns the notes of `notes/`, with the tasks that a reader finds in them (its README has the format). */
export function labeledNotes(): LabeledNotes[] {
  return names.flatMap((name) =>
    blocksOf(`notes/${name}`).map(({ head, lines }) => {
      const [customer, day] = head.split(' ');
      return {
        language: languageOf(name),
        customer: customer as LabeledNotes['customer'],
        calledAt: `${day}T13:00:00Z`,
        text: unlabeled(lines),
        tasks: lines.flatMap((line, index) => taskOf(line, index, day ?? '')),
      };
    }),
  );
}

/** Texts in other languages, and code, each with its language. */
export const unreadableTexts = () =>
  blocksOf('notes/unreadable').map(({ head, lines }) => ({
    language: head,
    text: lines.join('\n'),
  }));

const unlabeled = (lines: string[]) => lines.map((line) => line.replace(/ >> .*$/, '')).join('\n');

function blocksOf(name: string): { head: string; lines: string[] }[] {
  const text = readFileSync(join(import.meta.dirname, `${name}.txt`), 'utf8');
  return text
    .split(/^== /m)
    .slice(1)
    .map((block) => {
      const [head = '', ...lines] = block.trimEnd().split('\n');
      return { head, lines };
    });
}

function taskOf(line: string, index: number, day: string): LabeledTask[] {
  const label = / >> (.*)$/.exec(line)?.[1];
  if (label === undefined) return [];
  const [owner = '-', date = '-'] = label.split('|');
  return [
    {
      line: index,
      owner: owner === '-' ? null : owner,
      on: date === '-' ? null : `${day.slice(0, 4)}-${date}`,
    },
  ];
}
