import { describe, expect, test } from 'vitest';
import { type Account, entitlements, features, standingOf, statusOf } from './entitlements.ts';
import { planList } from './plans.ts';

const createdAt = new Date('2026-03-01T10:00:00Z');
const day = (days: number) => new Date(createdAt.getTime() + days * 86_400_000);
const account = (changed: Partial<Account> = {}): Account => ({
  plan: 'starter',
  createdAt,
  callsThisMonth: 0,
  callsInAll: 0,
  ...changed,
});

describe('the table matches the contents of the plans:', () => {
  test('Starter has up to 5 video calls a month, the others unlimited calls', () => {
    expect(planList[0].contents[0].text).toBe('up to 5 video calls/month');
    expect(Object.values(entitlements).map((plan) => plan.callsPerMonth)).toEqual([5, null, null]);
  });

  test('each plan has every feature of its contents that a server can grant', () => {
    const named = (plan: (typeof planList)[number]) =>
      plan.contents.map(({ id }): string => id).filter((id) => features.some((one) => one === id));
    for (const plan of planList)
      expect(entitlements[plan.id].features, plan.id).toEqual(expect.arrayContaining(named(plan)));
  });

  test('each plan includes all features of the previous one', () => {
    const { starter, professional, enterprise } = entitlements;
    expect(professional.features).toEqual(expect.arrayContaining([...starter.features]));
    expect(enterprise.features).toEqual(expect.arrayContaining([...professional.features]));
  });
});

describe('where no card provider is set up', () => {
  test.each(['starter', 'professional', 'enterprise'] as const)(
    'all features are on for %s, whatever was used',
    (plan) => {
      const used = account({ plan, callsThisMonth: 900, callsInAll: 9000 });
      const { callsLeft, callsPerMonth, features: on } = standingOf(used, day(400), false);
      expect({ callsLeft, callsPerMonth, on }).toEqual({
        callsLeft: null,
        callsPerMonth: null,
        on: features,
      });
    },
  );
});

describe('the free trial: 14 days, up to 10 video calls', () => {
  test.each([
    [0, 14],
    [0.5, 14],
    [1.5, 13],
    [13.99, 1],
    [14, 0],
    [300, 0],
  ])('after %d days has %d days left', (days, left) => {
    expect(standingOf(account(), day(days), true).trial).toMatchObject({
      daysLeft: left,
      endsAt: day(14),
    });
  });

  test('has Professional’s features and ten calls of its own, not the month’s five', () => {
    const { features: on, callsLeft } = standingOf(
      account({ callsThisMonth: 7, callsInAll: 7 }),
      day(3),
      true,
    );
    expect(on).toEqual(entitlements.professional.features);
    expect(callsLeft).toBe(3);
  });

  test('ends with its tenth call, after which Starter’s monthly limit applies', () => {
    const used = account({ callsThisMonth: 10, callsInAll: 10 });
    expect(standingOf(used, day(3), true)).toMatchObject({ callsLeft: 0, callsPerMonth: 5 });
    const nextMonth = account({ callsThisMonth: 1, callsInAll: 11 });
    expect(standingOf(nextMonth, day(13), true).callsLeft).toBe(4);
  });

  test('does not apply to a higher plan', () => {
    for (const plan of ['professional', 'enterprise'] as const)
      expect(standingOf(account({ plan }), day(0), true)).toMatchObject({
        trial: null,
        callsLeft: null,
      });
  });

  test('never has more days left than 14 or a negative number of calls, whatever the clocks show', () => {
    expect(standingOf(account(), day(-3), true).trial?.daysLeft).toBe(14);
    expect(standingOf(account({ callsInAll: 99 }), day(1), true).trial?.callsLeft).toBe(0);
  });
});

test.each([
  [0, 5],
  [4, 1],
  [5, 0],
  [6, 0],
])('after the trial, %d calls this month leave %d', (callsThisMonth, left) => {
  const used = account({ callsThisMonth, callsInAll: 50 });
  expect(standingOf(used, day(15), true).callsLeft).toBe(left);
});

test('Starter is the Free Plan, the others are Active', () => {
  expect(planList.map(({ id }) => statusOf(id))).toEqual(['free', 'active', 'active']);
});
