import { expect, test } from 'vitest';
import { arrange, type Present, type Wishes } from './arrangement.ts';

const wishes: Wishes = { layout: 'automatic', pinned: null, selfHidden: false };
const three: Present = { self: 'me', others: ['bo', 'cy'], active: 'cy', screensShared: false };
const two: Present = { ...three, others: ['bo'] };

test('with two participants the other one is large, and the self-view in a corner or hidden', () => {
  expect(arrange(wishes, two)).toMatchObject({ kind: 'pair', large: 'bo', self: 'corner' });
  expect(arrange({ ...wishes, selfHidden: true }, two).self).toBe('hidden');
  expect(arrange({ ...wishes, layout: 'grid' }, two)).toMatchObject({ kind: 'grid', self: 'tile' });
});

test('with more there is a grid, or the speaker large beside a strip', () => {
  expect(arrange(wishes, three)).toMatchObject({ kind: 'grid', large: null });
  const speaker: Wishes = { ...wishes, layout: 'speaker' };
  expect(arrange(speaker, three)).toMatchObject({ kind: 'speaker', large: 'cy' });
  expect(arrange(speaker, { ...three, active: null }).large).toBe('bo');
  expect(arrange(speaker, { ...three, active: 'gone' }).large).toBe('bo');
});

test('a pin takes precedence over the speaker, and ends when the pinned participant leaves', () => {
  const pinned: Wishes = { ...wishes, pinned: 'bo' };
  expect(arrange(pinned, three)).toMatchObject({ kind: 'speaker', large: 'bo' });
  expect(arrange(pinned, { ...three, others: ['cy', 'di'] }).kind).toBe('grid');
  expect(arrange({ ...wishes, pinned: 'me', selfHidden: true }, three).kind).toBe('grid');
});

test('a shared screen is large, whatever layout was chosen', () => {
  const shared: Present = { ...three, screensShared: true };
  const wish: Wishes = { ...wishes, layout: 'speaker', pinned: 'bo' };
  expect(arrange(wish, shared)).toMatchObject({ kind: 'screen', large: null, mayPin: false });
});

test('a participant who is alone sees the self-view even if it is hidden', () => {
  const alone: Present = { ...three, others: [] };
  expect(arrange({ ...wishes, selfHidden: true }, alone)).toMatchObject({
    kind: 'alone',
    self: 'tile',
  });
});
