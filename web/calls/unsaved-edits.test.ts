// @vitest-environment happy-dom
import { afterEach, expect, test } from 'vitest';
import { UnsavedEditsStore } from '#web/calls/unsaved-edits.ts';

afterEach(() => localStorage.clear());

test('unsaved edits are keyed by account: another person at this computer finds none', () => {
  const ada = new UnsavedEditsStore(localStorage, 'ada');
  ada.keep('call:1', 'notes', 'AAA=');
  const bo = new UnsavedEditsStore(localStorage, 'bo');
  expect(bo.read('call:1')).toEqual({});
  expect(bo.callIds()).toEqual([]);
  bo.remove('call:1');
  expect(ada.read('call:1')).toEqual({ notes: 'AAA=' });
});

test.each(['not json', '7', '[]', '{"notes": 7}', '{"checks": {"a": "yes"}}'])(
  'a malformed record (%s) counts as none, and can be replaced',
  (text) => {
    localStorage.setItem('rapport:unsaved:ada:call:1', text);
    const store = new UnsavedEditsStore(localStorage, 'ada');
    expect(store.read('call:1')).toEqual({});
    store.keep('call:1', 'checks', { item: true });
    expect(store.read('call:1')).toEqual({ checks: { item: true } });
  },
);

test('one part of a record is replaced or removed without the other', () => {
  const store = new UnsavedEditsStore(localStorage, 'ada');
  store.keep('call:1', 'notes', 'AAA=');
  store.keep('call:1', 'checks', { item: true });
  store.keep('call:1', 'notes', undefined);
  expect(store.read('call:1')).toEqual({ checks: { item: true } });
  store.keep('call:1', 'checks', undefined);
  expect(store.callIds()).toEqual([]);
});
