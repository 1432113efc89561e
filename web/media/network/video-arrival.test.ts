import { expect, test } from 'vitest';
import { type Arrival, beginArrival, isMissing, type Look, nextArrival } from './video-arrival.ts';

const moves: Look = { moves: true, quietFor: 0, expected: true };
const still: Look = { ...moves, moves: false };
const quiet: Look = { ...still, quietFor: 1 };
const silent: Look = { ...still, quietFor: 2 };
const hidden: Look = { ...still, expected: false };
const many = (look: Look, count: number) => new Array<Look>(count).fill(look);
const look = (looks: readonly Look[]) => looks.reduce<Arrival>(nextArrival, beginArrival);

test.for([
  ['a picture that moves is there', many(moves, 9), false],
  ['three seconds without a new one are a hiccup', [moves, ...many(still, 3)], false],
  ['four are a picture that is missing', [moves, ...many(still, 4)], true],
  [
    'what was held back and comes in one go does not bring it back',
    [...many(still, 4), moves],
    true,
  ],
  ['now and then some of it neither', [...many(still, 4), moves, still, moves, still], true],
  ['two seconds of movement do', [...many(still, 4), moves, moves], false],
  ['a second without anything does not change it', [...many(still, 4), quiet], true],
  ['nor counts it', [...many(still, 3), quiet], false],
  ['a path that fell silent begins anew', [...many(still, 4), quiet, silent], false],
  [
    'a picture that is off or that nobody asks for is not missed',
    [...many(still, 4), hidden],
    false,
  ],
] as const)('%s', ([, looks, missing]) => {
  expect(isMissing(look(looks))).toBe(missing);
});
