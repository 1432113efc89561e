import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { actionItemsOf } from './action-items.ts';
import { Calendar } from './calendar.ts';
import { findCommitments } from './commitments.ts';
import { readUtterances } from './utterances.ts';

const calledAt = '2026-03-10T14:00:00Z';
const calendar = new Calendar('en', calledAt, 'Europe/Berlin');
const itemsOf = (text: string) => actionItemsOf(text, calledAt, 'Europe/Berlin');

interface Labeled {
  isPromise: boolean;
  line: string;
}

function labeledTalks(): Labeled[][] {
  const file = join(import.meta.dirname, 'samples/labeled-lines.tsv');
  const talks: Labeled[][] = [];
  for (const row of readFileSync(file, 'utf8').split('\n')) {
    const [label, line = ''] = row.split('\t');
    if (row.startsWith('#')) talks.push([]);
    else if (row !== '') talks.at(-1)?.push({ isPromise: label === '+', line });
  }
  return talks.filter((talk) => talk.length > 0);
}

/** The harmonic mean of precision and recall. */
function f1(found: readonly { isPromise: boolean; isFound: boolean }[]): number {
  const hits = found.filter(({ isPromise, isFound }) => isPromise && isFound).length;
  const errors = found.filter(({ isPromise, isFound }) => isPromise !== isFound).length;
  return (2 * hits) / (2 * hits + errors);
}

test('commitments are detected far better than by searching for "I will"', () => {
  const lines = labeledTalks().flatMap((talk) => {
    const utterances = readUtterances(talk.map(({ line }) => line).join('\n'));
    const promises = new Set(findCommitments(utterances, calendar).map(({ said }) => said));
    return talk.map(({ isPromise, line }, at) => {
      const said = utterances[at];
      const isPlain = /\b(I will|I'll)\b/i.test(line);
      return { isPromise, isPlain, isOurs: said !== undefined && promises.has(said) };
    });
  });
  expect(lines.length).toBeGreaterThan(150);
  const ours = f1(lines.map(({ isPromise, isOurs }) => ({ isPromise, isFound: isOurs })));
  const plain = f1(lines.map(({ isPromise, isPlain }) => ({ isPromise, isFound: isPlain })));
  console.log(
    `Promises: F1 ${ours.toFixed(3)}, of the plain pattern ${plain.toFixed(3)}, ${(ours / plain).toFixed(2)} times, on ${lines.length} lines`,
  );
  expect(ours / plain).toBeGreaterThan(1.25);
  expect(ours).toBeGreaterThan(0.9);
});

const one = (text: string) => itemsOf(text)[0];

describe('a commitment', () => {
  test.each([
    ["Ada: I'll send the deck by Friday.", 'Ada', 'by Friday', 'Send the deck by Friday'],
    [
      'Ada: we are going to fix the export next week',
      'Ada',
      'next week',
      'Fix the export next week',
    ],
    ['Ada: Let me check with legal.', 'Ada', null, 'Check with legal'],
    ['Priya will call them tomorrow.', 'Priya', 'tomorrow', 'Call them tomorrow'],
    ['- Omar to open the firewall', 'Omar', null, 'Open the firewall'],
    ['Action item: update the deck', null, null, 'Update the deck'],
    [
      'Ben: Our legal team will review it by Monday.',
      'our legal team',
      'by Monday',
      'Review it by Monday',
    ],
  ])('%s: has an owner, a due date, and a title', (text, owner, due, title) => {
    expect(one(text)).toMatchObject({ owner, due, title, description: text });
  });

  test('that was requested belongs to the person who accepts it, and is listed once', () => {
    const talk = 'Ada: Can you send the numbers by Friday?\nBen: Sure, will do.';
    const items = itemsOf(talk);
    expect(items).toHaveLength(1);
    expect(items[0]).toMatchObject({ owner: 'Ben', due: 'by Friday' });
    expect(itemsOf('Ada: Can you send the numbers by Friday?\nBen: No, I cannot.')).toEqual([]);
  });

  test('that is urgent has high priority, one with a date medium', () => {
    expect(one("I'll send it today.")?.priority).toBe('high');
    expect(one("I'll send it by March 3.")?.priority).toBe('medium');
  });

  test('beside another in one sentence is a separate item with its own date', () => {
    const items = itemsOf("I'll send the deck by Friday and I will call Priya about it.");
    expect(items.map(({ due }) => due)).toEqual(['by Friday', null]);
  });

  test('that is repeated is listed once', () => {
    expect(itemsOf("I'll send the deck.\nYes, I'll send the deck!")).toHaveLength(1);
  });
});

test.each([
  ['denied', "I won't send anything."],
  ['imagined', 'If I had time I would send it.'],
  ['past', 'I was going to send it yesterday.'],
  ['reported', 'He said I will send it.'],
  ['quoted', 'She wrote "I will send it" again.'],
  ['an idiom', "I'll be honest, we'll see."],
  ['small talk', "I'll have another coffee."],
  ['a question', 'When will you send it?'],
  ['the talk itself', "I'll share my screen and we'll start with the agenda."],
])('a sentence that is %s is not a commitment', (_, text) => {
  expect(itemsOf(text)).toEqual([]);
});

test('"well" is not read as "we’ll"', () => {
  expect(one('Ada: Well share feedback sessions went fine.')).toBe(undefined);
  expect(one('Ada: The training is going well send my regards.')).toBe(undefined);
});
