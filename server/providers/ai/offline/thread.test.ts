import { expect, test } from 'vitest';
import { AnalyzerError } from '../port.ts';
import { AnalyzerThread } from './thread.ts';

/** Answers with the text, refuses "wrong", and breaks on "broken". */
const program = `import { parentPort } from 'node:worker_threads';
parentPort.on('message', ({ id, conversation: { text } }) => {
  if (text === 'broken') throw new Error('it broke');
  parentPort.postMessage(text === 'wrong' ? { id, error: text } : { id, result: text });
});`;
const open = () => {
  const thread = new AnalyzerThread(new URL(`data:text/javascript,${encodeURIComponent(program)}`));
  return (text: string) => thread.run('sentiment', { text, openItems: [], isOver: false });
};

test('each question gets its own answer, in turn', async () => {
  const ask = open();
  expect(await Promise.all(['a', 'b', 'c'].map(ask))).toEqual(['a', 'b', 'c']);
});

test('a task that breaks the worker takes no other one with it', async () => {
  const ask = open();
  const results = await Promise.allSettled(['before', 'broken', 'after', 'wrong', 'last'].map(ask));
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
