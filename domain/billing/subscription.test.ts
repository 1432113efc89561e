import { expect, test } from 'vitest';
import { hasEnded, isEntitled, subscriptionStatuses } from './subscription.ts';

test('a subscription means Professional once it was paid, and while a renewal is past due', () => {
  expect(subscriptionStatuses.filter(isEntitled)).toEqual(['trialing', 'active', 'past_due']);
});

test('a new subscription replaces one that has ended, and no other', () => {
  expect(subscriptionStatuses.filter(hasEnded)).toEqual(['canceled', 'incomplete_expired']);
});
