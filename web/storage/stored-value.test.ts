import { expect, test } from 'vitest';
import { z } from 'zod';
import { openStorage } from '#web/storage/open-storage.ts';
import { StoredValue } from '#web/storage/stored-value.ts';

/** A storage as browsers have it, and what is in it. */
function memory(entries: Record<string, string> = {}): Storage {
  const stored = new Map(Object.entries(entries));
  return {
    get length() {
      return stored.size;
    },
    clear: () => stored.clear(),
    getItem: (key) => stored.get(key) ?? null,
    key: (at) => [...stored.keys()][at] ?? null,
    removeItem: (key) => void stored.delete(key),
    setItem: (key, value) => void stored.set(key, value),
  };
}

const refuse = () => {
  throw new DOMException('denied', 'SecurityError');
};
const blocked: Storage = {
  ...memory(),
  getItem: refuse,
  removeItem: refuse,
  setItem: refuse,
};
const count = z.object({ count: z.number() });

test('a value is stored as JSON at its key, and read as it was written', () => {
  const storage = memory();
  const stored = new StoredValue(storage, 'rapport:count', count);
  expect(stored.write({ count: 3 })).toBe(true);
  expect(storage.getItem('rapport:count')).toBe('{"count":3}');
  expect(stored.read()).toEqual({ count: 3 });
});

test('a removed value reads as null, and other keys stay', () => {
  const storage = memory({ 'rapport:count': '{"count":3}', other: 'stays' });
  const stored = new StoredValue(storage, 'rapport:count', count);
  stored.remove();
  expect(stored.read()).toBe(null);
  expect(storage.getItem('other')).toBe('stays');
});

test.each([
  ['no JSON', '{"count":'],
  ['another shape', '{"count":"three"}'],
])('%s reads as null', (_what, text) => {
  expect(new StoredValue(memory({ key: text }), 'key', count).read()).toBe(null);
});

test('a check in place of a schema decides which values are read', () => {
  const isText = (value: unknown): value is string => typeof value === 'string';
  const storage = memory({ text: '"good"', number: '4' });
  expect(new StoredValue(storage, 'text', isText).read()).toBe('good');
  expect(new StoredValue(storage, 'number', isText).read()).toBe(null);
});

test('a blocked storage reads as null and stores nothing, without an error', () => {
  const stored = new StoredValue(blocked, 'key', count);
  expect(stored.read()).toBe(null);
  expect(stored.write({ count: 3 })).toBe(false);
  expect(() => stored.remove()).not.toThrow();
});

test('a storage that can be opened is used, and one that cannot forgets everything', () => {
  const storage = memory();
  expect(openStorage(() => storage)).toBe(storage);
  const substitute = openStorage(refuse);
  substitute.setItem('key', 'value');
  expect(substitute.getItem('key')).toBe(null);
  expect(substitute.key(0)).toBe(null);
  expect(substitute.length).toBe(0);
  expect(() => {
    substitute.removeItem('key');
    substitute.clear();
  }).not.toThrow();
});
