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

const folder = join(import.meta.dirname, 'notes');

/** Returns the notes of `notes/`, with the tasks that a reader finds in them (its README has the format). */
export function labeledNotes(): LabeledNotes[] {
  return [
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
  ].flatMap((name) =>
    blocksOf(name).map(({ head, lines }) => {
      const [customer, day] = head.split(' ');
      return {
        language: name.startsWith('de') ? 'de' : 'en',
        customer: customer as LabeledNotes['customer'],
        calledAt: `${day}T13:00:00Z`,
        text: lines.map((line) => line.replace(/ >> .*$/, '')).join('\n'),
        tasks: lines.flatMap((line, index) => taskOf(line, index, day ?? '')),
      };
    }),
  );
}

/** Texts in other languages, and code, each with its language. */
export const unreadableTexts = () =>
  blocksOf('unreadable').map(({ head, lines }) => ({ language: head, text: lines.join('\n') }));

function blocksOf(name: string): { head: string; lines: string[] }[] {
  const text = readFileSync(join(folder, `${name}.txt`), 'utf8');
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
