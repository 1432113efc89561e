import { expect, test } from 'vitest';
import { z } from 'zod';
import { newId } from './ids.ts';

const kind = z.uuid();

test('ids that were made in the same millisecond sort in the order in which they were made', () => {
  const ids = Array.from({ length: 1_000 }, () => newId(kind));
  expect(ids).toEqual([...ids].sort());
});

test('an id about the past sorts before one of now', () => {
  expect(newId(kind, new Date(Date.now() - 1_000)) < newId(kind)).toBe(true);
});
