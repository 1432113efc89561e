import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { orgId } from '../domain/ids.ts';
import { labeledSets } from '../scripts/trouble/labeled-sets.ts';
import { rotate } from '../scripts/trouble/training.ts';
import { openSharedThread } from '../server/platform/shared-thread.ts';
import { offlineAnalyzer } from '../server/providers/ai/offline.ts';
import { type Measured, plain } from './report.ts';

interface LabeledItem {
  line: number;
  owner: string | null;
  /** ISO date. */
  due: string | null;
}
interface LabeledNotes {
  id: string;
  language: string;
  notes: string;
  calledAt: string;
  zone: string;
  customer: 'unhappy' | 'neutral' | 'satisfied' | 'unknown';
  actionItems: LabeledItem[];
}
interface Found {
  title: string;
  owner: string | null;
  dueOn?: string | null | undefined;
}

/** The simplest baseline: lines with "I will", and items of a list that begin with a verb's usual marks. */
const plainPattern = /\b(?:I will|I'll|ich werde)\b|^\s*(?:\[ \]|@\w|TODO\b)/i;

/** The simplest baseline for moods: words of trouble anywhere. */
const plainTrouble =
  /(?<!\p{L})(?:unhappy|angry|annoyed|furious|frustrat|disappoint|complain|problem|issue|broken|crash|cancel|churn|unzufrieden|verärgert|sauer|genervt|enttäuscht|beschwer|fehler|kaputt|ausfall|kündig)/iu;

/** A collection of labeled notes, and whether the limits apply to it. */
interface Collection {
  file: string;
  name: string;
  isJudge: boolean;
}
const collections: Collection[] = [
  { file: 'fourth-judge.json', name: 'notes', isJudge: true },
  { file: 'third-judge.json', name: 'notes, third judge, development', isJudge: false },
  { file: 'second-judge.json', name: 'notes, second judge, development', isJudge: false },
  { file: 'judged.json', name: 'notes, first judge, development', isJudge: false },
];

/**
 * Measures what the offline analyzer finds in notes that it was not written on (fourth-judge.json, where it exists), and
 * in the former judges, on which it was developed since, each beside plain patterns in the same run. The moods of the
 * former judges are in the analyzer's weights, so each set is also judged by weights of the other sets.
 */
export async function notes(): Promise<Measured[]> {
  const each: Measured[] = [];
  for (const collection of collections) {
    if (existsSync(fileOf(collection.file))) each.push(...(await measure(collection)));
    else console.log(`There is no bench/notes/${collection.file} to judge by.`);
  }
  return [...each, ...heldOut()];
}

function heldOut(): Measured[] {
  return rotate(labeledSets()).flatMap(({ set, unhappy, noticed, others, flagged }) => [
    plain(
      `moods, ${set} left out: unhappy not noticed`,
      'points',
      100 - (100 * noticed) / unhappy,
      null,
      `of ${unhappy}`,
    ),
    plain(
      `moods, ${set} left out: others flagged`,
      'points',
      (100 * flagged) / others,
      null,
      `of ${others}`,
    ),
  ]);
}

async function measure({ file, name, isJudge }: Collection): Promise<Measured[]> {
  const read = readNotes(file);
  const answers = await Promise.all(read.map(answerOf));
  const measured = [
    ...ofItems(read, answers),
    ...ofMoods(read, answers),
    ...['en', 'de'].flatMap((language) => {
      const of = read.flatMap((each, at) => (each.language === language ? [at] : []));
      const [notes, found] = [of.map((at) => read[at]), of.map((at) => answers[at])];
      return plain(`F1 of action items, ${language}`, 'points', f1(hitsOf(notes, found)), null);
    }),
  ];
  return measured.map((one) => ({
    ...one,
    name: `${name}: ${one.name}`,
    limit: isJudge ? one.limit : null,
  }));
}

const fileOf = (name: string) => join(import.meta.dirname, 'notes', name);

function readNotes(file: string): LabeledNotes[] {
  const read = JSON.parse(readFileSync(fileOf(file), 'utf8'));
  const all: LabeledNotes[] = Array.isArray(read) ? read : read.notes;
  return all.filter(({ language }) => language === 'en' || language === 'de');
}

const analyzer = offlineAnalyzer(openSharedThread);

async function answerOf({ notes, calledAt, zone }: LabeledNotes) {
  const about = { roomTopic: null, playbookTitle: null, openItems: [], isOver: true };
  const call = { orgId: orgId.parse(randomUUID()), calledAt, timeZone: zone };
  const conversation = { ...about, ...call, text: notes, storedNotes: notes, turns: [] };
  const [items, sentiment, suggestions] = await Promise.all([
    analyzer.findActionItems(conversation),
    analyzer.readSentiment(conversation),
    analyzer.suggest(conversation),
  ]);
  return { items, sentiment, hasConcern: suggestions.some(({ type }) => concerns.has(type)) };
}
type Answer = Awaited<ReturnType<typeof answerOf>>;
const concerns = new Set(['risk', 'objection', 'competitor', 'confusion']);

interface Hits {
  hits: number;
  found: number;
  labeled: number;
}
const f1 = ({ hits, found, labeled }: Hits) => (200 * hits) / (found + labeled);

function hitsOf(read: (LabeledNotes | undefined)[], answers: (Answer | undefined)[]): Hits {
  const sums = { hits: 0, found: 0, labeled: 0 };
  read.forEach((each, at) => {
    const items = answers[at]?.items ?? [];
    sums.hits += each ? matches(each, items).length : 0;
    sums.found += items.length;
    sums.labeled += each?.actionItems.length ?? 0;
  });
  return sums;
}

function ofItems(read: LabeledNotes[], answers: Answer[]): Measured[] {
  const matched = read.flatMap((each, at) => matches(each, answers[at]?.items ?? []));
  const right = matched.filter(
    ({ label, item }) => sameOwner(label.owner, item.owner) && label.due === (item.dueOn ?? null),
  );
  const wrongOf = (isRight: (one: (typeof matched)[number]) => boolean) =>
    (100 * matched.filter((one) => !isRight(one)).length) / Math.max(1, matched.length);
  const patternHits = { hits: 0, found: 0, labeled: 0 };
  for (const { notes, actionItems } of read) {
    const marked = notes
      .split('\n')
      .flatMap((line, index) => (plainPattern.test(line) ? [index + 1] : []));
    patternHits.found += marked.length;
    patternHits.labeled += actionItems.length;
    patternHits.hits += actionItems.filter(({ line }) => marked.includes(line)).length;
  }
  const missed = 100 - f1(hitsOf(read, answers));
  const wrong = matched.length === 0 ? 100 : 100 - (100 * right.length) / matched.length;
  return [
    plain('action items, 100 - F1', 'points', missed, 25, `of ${patternHits.labeled}`),
    plain('the same of a plain pattern', 'points', 100 - f1(patternHits), null),
    plain('owner or date wrong, of those found', 'points', wrong, 15, `${matched.length}`),
    plain(
      'of these, owner wrong',
      'points',
      wrongOf(({ label, item }) => sameOwner(label.owner, item.owner)),
      null,
    ),
    plain(
      'of these, date wrong',
      'points',
      wrongOf(({ label, item }) => label.due === (item.dueOn ?? null)),
      null,
    ),
  ];
}

function ofMoods(read: LabeledNotes[], answers: Answer[]): Measured[] {
  const share = (of: LabeledNotes['customer'][], when: (answer: Answer) => boolean) => {
    const chosen = answers.filter((_, at) => of.includes(read[at]?.customer ?? 'unknown'));
    return (100 * chosen.filter(when).length) / chosen.length;
  };
  const isFlagged = ({ sentiment, hasConcern }: Answer) =>
    hasConcern || sentiment.overallSentiment <= -0.2;
  const isPositive = ({ sentiment }: Answer) => sentiment.overallSentiment >= 0.2;
  const withWords = (of: LabeledNotes['customer'][]) => {
    const chosen = read.filter(({ customer }) => of.includes(customer));
    return (100 * chosen.filter(({ notes }) => plainTrouble.test(notes)).length) / chosen.length;
  };
  const unnoticed = share(['unhappy'], (answer) => !isFlagged(answer));
  return [
    plain('unhappy customers not noticed', 'points', unnoticed, 20),
    plain('the same of plain words', 'points', 100 - withWords(['unhappy']), null),
    plain('other notes flagged', 'points', share(['neutral', 'satisfied'], isFlagged), 15),
    plain(
      'other notes flagged by plain words',
      'points',
      withWords(['neutral', 'satisfied']),
      null,
    ),
    plain('unhappy customers called positive', 'points', share(['unhappy'], isPositive), 0),
  ];
}

/** Pairs each found item with the labeled line that shares most of its words, at least half of them. */
function matches({ notes, actionItems }: LabeledNotes, items: readonly Found[]) {
  const lines = notes.split('\n');
  const free = new Set(actionItems);
  return items.flatMap((item) => {
    const words = wordsOf(item.title);
    const overlap = ({ line }: LabeledItem) => {
      const inLine = new Set(wordsOf(lines[line - 1] ?? ''));
      return words.filter((word) => inLine.has(word)).length / Math.max(1, words.length);
    };
    const [label] = [...free].sort((a, b) => overlap(b) - overlap(a));
    if (!label || overlap(label) < 0.5) return [];
    free.delete(label);
    return [{ label, item }];
  });
}

const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [];

const sameOwner = (label: string | null, found: string | null) =>
  (label ?? '').toLowerCase() === (found ?? '').toLowerCase();
