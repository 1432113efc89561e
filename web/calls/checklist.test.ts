import { beforeEach, expect, test, vi } from 'vitest';
import type { ToServer } from '#domain/calls/live.ts';
import { Checklist } from '#web/calls/checklist.ts';

let sent: ToServer[];
let kept: Record<string, boolean> | null;
let online: boolean;

function open() {
  let ids = 0;
  return new Checklist({
    send: (message) => online && sent.push(message) > 0,
    newId: () => {
      ids += 1;
      return `${ids}`;
    },
    keep: (checks) => {
      kept = checks;
    },
  });
}
beforeEach(() => {
  sent = [];
  kept = null;
  online = true;
});

test('a tick shows immediately and is kept until it is acknowledged', () => {
  const list = open();
  list.check('one', true);
  expect(list.isChecked('one')).toBe(true);
  expect(kept).toEqual({ one: true });
  list.saved('1');
  expect(kept).toBe(null);
  expect(list.isChecked('one')).toBe(true);
});

test('a tick of another person shows when it arrives, and own ticks stay', () => {
  const list = open();
  const told = vi.fn();
  list.subscribe(told);
  list.check('mine', true);
  told.mockClear();
  list.receive([{ itemId: 'theirs', checked: true }]);
  expect(told).toHaveBeenCalledOnce();
  expect(list.isChecked('theirs')).toBe(true);
  list.receive([{ itemId: 'mine', checked: false }]);
  expect(list.isChecked('mine'), 'the server still has to hear of it').toBe(true);
});

test('ticks made offline are sent on reconnecting, one message for each item', () => {
  online = false;
  const list = open();
  list.check('one', true);
  list.check('two', true);
  list.check('two', false);
  online = true;
  list.connected();
  expect(sent).toEqual([
    { type: 'check', id: '1', itemId: 'one', checked: true },
    { type: 'check', id: '3', itemId: 'two', checked: false },
  ]);
});

test('a late answer to an earlier tick does not settle the newer one', () => {
  const list = open();
  list.check('one', true);
  list.check('one', false);
  list.saved('1');
  expect(list.isChecked('one')).toBe(false);
  expect(list.hasUnsaved).toBe(true);
});

test('a refused tick is reverted', () => {
  const list = open();
  list.check('one', true);
  expect(list.refused('1')).toBe(true);
  expect(list.isChecked('one')).toBe(false);
  expect(list.refused('elsewhere')).toBe(false);
});
