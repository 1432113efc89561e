import { expect, test } from 'vitest';
import { cornerBeside, nearestCorner, nextCorner } from './corner.ts';

test('arrow keys move from corner to corner, and stop at the edge', () => {
  expect(cornerBeside('bottom-right', 'ArrowUp')).toBe('top-right');
  expect(cornerBeside('top-right', 'ArrowLeft')).toBe('top-left');
  expect(cornerBeside('top-left', 'ArrowLeft')).toBe('top-left');
  expect(cornerBeside('top-left', 'ArrowDown')).toBe('bottom-left');
});

test('a press moves to the next corner clockwise', () => {
  expect(nextCorner('bottom-right')).toBe('bottom-left');
  expect(nextCorner('bottom-left')).toBe('top-left');
});

test('a dragged element lands in the nearest corner', () => {
  const area = { left: 0, top: 0, width: 1000, height: 600 };
  const at = (left: number, top: number) =>
    nearestCorner({ left, top, width: 200, height: 120 }, area);
  expect([at(10, 10), at(500, 10), at(350, 400), at(700, 300)]).toEqual([
    'top-left',
    'top-right',
    'bottom-left',
    'bottom-right',
  ]);
});
