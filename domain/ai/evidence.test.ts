import { expect, test, vi } from 'vitest';
import { type CitableLine, proofsOf } from './evidence.ts';

const line = (ref: string, text: string): CitableLine => ({
  ...{ ref, speaker: null, side: null, text },
  source: { kind: 'note', line: 1 },
});

test('R32-B6: a line that is cited hundreds of times is read once', () => {
  const lines = new Map([['N1', line('N1', 'We will send the “contract” by Friday.')]]);
  const read = vi.spyOn(String.prototype, 'normalize');
  const wrong = Array.from({ length: 300 }, () => ({ ref: 'N1', quote: 'not in this line' }));
  expect(proofsOf(wrong, lines)).toEqual([]);
  const proofs = proofsOf([...wrong, { ref: 'N1', quote: 'send the contract' }], lines);
  const texts = read.mock.contexts.map(String);
  read.mockRestore();
  expect(proofs).toMatchObject([{ citation: { line: 1, quote: 'send the contract' } }]);
  expect(texts.filter((text) => text.includes('“contract”'))).toHaveLength(1);
});
