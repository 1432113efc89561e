// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest';
import { openStorage } from '#web/storage/open-storage.ts';
import { LayoutChoice, layoutKey } from './layout-choice.ts';

beforeEach(() => localStorage.clear());

test('the layout is remembered for the next call, the pin is not', () => {
  const choice = new LayoutChoice(localStorage);
  choice.choose({ layout: 'speaker' });
  choice.choose({ selfHidden: true, selfCorner: 'top-left' });
  choice.pin('bo');
  expect(new LayoutChoice(localStorage).getSnapshot()).toEqual({
    layout: 'speaker',
    selfHidden: true,
    selfCorner: 'top-left',
    pinned: null,
  });
});

test('pinning again removes the pin, and so does choosing a layout', () => {
  const choice = new LayoutChoice(localStorage);
  choice.pin('bo');
  choice.pin('bo');
  expect(choice.getSnapshot().pinned).toBe(null);
  choice.pin('bo');
  choice.choose({ selfHidden: true });
  expect(choice.getSnapshot().pinned).toBe('bo');
  choice.choose({ layout: 'grid' });
  expect(choice.getSnapshot().pinned).toBe(null);
});

test('an invalid or missing stored value means the default layout', () => {
  localStorage.setItem(layoutKey, '{"layout":"spiral"}');
  expect(new LayoutChoice(localStorage).getSnapshot().layout).toBe('automatic');
  const none = new LayoutChoice(
    openStorage(() => {
      throw new DOMException('', 'SecurityError');
    }),
  );
  none.choose({ layout: 'grid' });
  expect(none.getSnapshot().layout).toBe('grid');
});
