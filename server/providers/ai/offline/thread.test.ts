import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { orgId } from '#domain/ids.ts';
import { openSharedThread } from '#server/platform/shared-thread.ts';
import { AnalyzerError } from '../port.ts';
import type { Task } from './tasks.ts';
import { AnalyzerThread } from './thread.ts';

/** Answers with the text, refuses "wrong", throws on "broken", and never ends on "endless". */
const program = `import { parentPort } from 'node:worker_threads';
parentPort.on('message', ({ conversation: { text } }) => {
  if (text === 'broken') throw new Error('it broke');
  const isEndless = text.trim() === 'endless';
  while (isEndless);
  parentPort.postMessage(text === 'wrong' ? { error: text } : { result: text });
});
parentPort.postMessage('ready');`;
const about = { openItems: [], isOver: false, calledAt: '2026-03-10T14:00:00Z', timeZone: 'UTC' };
const newOrg = () => orgId.parse(randomUUID());
const asking = (thread: AnalyzerThread, org = newOrg()) => {
  return (text: string, what: Task['what'] = 'sentiment') =>
    thread.run(org, { what, conversation: { ...about, text } });
};
const open = () =>
  new AnalyzerThread(
    (options) => openSharedThread({ ...options, limitMs: 200 }),
    new URL(`data:text/javascript,${encodeURIComponent(program)}`),
  );

test('concurrent tasks each get their own answer, in order', async () => {
  const ask = asking(open());
  expect(await Promise.all(['a', 'b', 'c'].map((text) => ask(text)))).toEqual(['a', 'b', 'c']);
});

test('a task that breaks the worker affects no other task', async () => {
  const ask = asking(open());
  const texts = ['before', 'broken', 'after', 'wrong', 'last'];
  const results = await Promise.allSettled(texts.map((text) => ask(text)));
  expect(results.map((one) => (one.status === 'fulfilled' ? one.value : 'failed'))).toEqual([
    'before',
    'failed',
    'after',
    'failed',
    'last',
  ]);
  const failed = results.filter((one) => one.status === 'rejected');
  for (const { reason } of failed) expect(reason).toBeInstanceOf(AnalyzerError);
});

test('B4: an organization whose texts take too long comes after all others', async () => {
  const thread = open();
  const ended: string[] = [];
  const note = (name: string) => () => void ended.push(name);
  const slow = asking(thread);
  const others = [asking(thread), asking(thread)];
  await Promise.all([
    ...[1, 2, 3].map((n) => slow('endless').catch(note(`slow ${n}`))),
    ...others.flatMap((ask, at) => [1, 2].map((n) => ask('fine').then(note(`other ${at} ${n}`)))),
  ]);
  expect(ended[0]).toBe('slow 1');
  expect(ended.slice(-2)).toEqual(['slow 2', 'slow 3']);
  expect(ended).toHaveLength(7);
});

test('long texts of one organization delay no short text of another', async () => {
  const thread = open();
  const [flooding, other] = [asking(thread), asking(thread)];
  const isOver = { first: false };
  const flood = [1, 2].map(() =>
    flooding(`endless${' '.repeat(20_000)}`).catch(() => {
      isOver.first = true;
    }),
  );
  expect(await other('fine')).toBe('fine');
  expect(isOver.first, 'while the first long text is still read').toBe(false);
  await Promise.all(flood);
});

test('long texts of two organizations are read in turns', async () => {
  const thread = open();
  const [first, second] = [asking(thread), asking(thread)];
  const ended: string[] = [];
  const long = (name: string) => name + ' '.repeat(20_000);
  const note = (answer: unknown) => void ended.push(String(answer).trim());
  await Promise.all([
    ...['a1', 'a2', 'a3'].map((name) => first(long(name)).then(note)),
    second(long('b1')).then(note),
  ]);
  expect(ended.indexOf('b1')).toBe(1);
});

describe('B4: no text takes more than the time of its length', () => {
  const filled = (text: string) => text.repeat(Math.ceil(100_000 / text.length));
  const ask = asking(new AnalyzerThread(openSharedThread));

  test.each([
    ['digits before a unit of time', `I will send it in ${'1'.repeat(50)}.`],
    ['words before a unit of time', `I will send it in ${filled('the next ')}.`],
    ['numbers before a unit of time', `Action: send it in ${filled('1 ')}.`],
    ['a line separator after spaces', `A:${filled(' ')}x\u2028y`],
    ['spaces before the end of a title', `Action: send${filled(' ')}x`],
    ['marks before the end of a title', `Action: send ${filled(', ')}x`],
    ['words at the end of a title', `Action: send ${filled('okay ')}`],
    ['requests before a long answer', `${filled('Can you send it? ')}\n${filled('word ')}`],
    ['dates without a date', filled('by the next end of the ')],
    ['marks of a list', `${filled('- ')}x`],
    ['cues', filled('I just will we just will you just will ')],
    ['short lines', filled('will\n')],
    ['questions', filled('right ? ')],
    ['quotes', filled('"a ')],
    ['spaces of other kinds', filled('a\u00a0')],
    ['one letter', filled('a')],
    ['worries', filled('looking at a not so price is a ')],
  ])('%s', async (_, text) => {
    for (const what of ['sentiment', 'coaching', 'action items'] as const) {
      await expect(ask(text, what)).resolves.toBeDefined();
    }
  });
});
