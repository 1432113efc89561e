/** Clockwise. */
export const corners = ['top-left', 'top-right', 'bottom-right', 'bottom-left'] as const;
export type Corner = (typeof corners)[number];
type Box = Pick<DOMRect, 'left' | 'top' | 'width' | 'height'>;

/** Returns the corner that an arrow key leads to; other keys keep the corner. */
export function cornerBeside(corner: Corner, key: string): Corner {
  const isTop = key === 'ArrowUp' || (key !== 'ArrowDown' && corner.startsWith('top'));
  const isLeft = key === 'ArrowLeft' || (key !== 'ArrowRight' && corner.endsWith('left'));
  return cornerOf(isTop, isLeft);
}

export const nextCorner = (corner: Corner): Corner =>
  corners[(corners.indexOf(corner) + 1) % corners.length] ?? corner;

/** Returns the corner of the area that is nearest to the dropped element. */
export function nearestCorner(thing: Box, area: Box): Corner {
  const isTop = thing.top + thing.height / 2 < area.top + area.height / 2;
  const isLeft = thing.left + thing.width / 2 < area.left + area.width / 2;
  return cornerOf(isTop, isLeft);
}

const cornerOf = (isTop: boolean, isLeft: boolean): Corner =>
  `${isTop ? 'top' : 'bottom'}-${isLeft ? 'left' : 'right'}`;
