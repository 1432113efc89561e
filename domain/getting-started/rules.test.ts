import { expect, test } from 'vitest';
import { isListShown } from './rules.ts';

const now = new Date('2026-11-24T12:00:00Z');
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);
const fresh = {
  organizationCreatedAt: daysAgo(2),
  joinedAt: daysAgo(2),
  firstCallAt: null,
  dismissedAt: null,
};

test.each([
  ['before the first call', {}, true],
  ['before the first call of an old organization', { organizationCreatedAt: daysAgo(400) }, true],
  ['in the days after the first call', { firstCallAt: daysAgo(1) }, true],
  ['once it was dismissed', { dismissedAt: daysAgo(0) }, false],
  ['for who joined after the first call', { firstCallAt: daysAgo(1), joinedAt: now }, false],
  [
    'a week after the first call',
    { organizationCreatedAt: daysAgo(9), joinedAt: daysAgo(9), firstCallAt: daysAgo(8) },
    false,
  ],
  [
    'in an organization from before the list',
    { organizationCreatedAt: daysAgo(90), joinedAt: daysAgo(90), firstCallAt: daysAgo(3) },
    false,
  ],
])('the list is shown unasked %s: %j', (_, hour, expected) => {
  expect(isListShown({ ...fresh, ...hour }, now)).toBe(expected);
});
