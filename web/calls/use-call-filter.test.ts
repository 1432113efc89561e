import { expect, test } from 'vitest';
import { daysOf, periods } from '#web/calls/periods.ts';
import { validFilters } from '#web/calls/use-call-filter.ts';

const now = new Date('2026-03-31T23:30:00Z');
const read = (address: string) => {
  const params = new URLSearchParams(address);
  const chosen = validFilters((name) => params.get(name), now);
  return Object.fromEntries(Object.entries(chosen).filter(([, value]) => value !== ''));
};

test.each([
  ['7d', '2026-03-25', '2026-03-31'],
  ['30d', '2026-03-02', '2026-03-31'],
  ['90d', '2026-01-01', '2026-03-31'],
  ['month', '2026-03-01', '2026-03-31'],
  ['last-month', '2026-02-01', '2026-02-28'],
  ['year', '2026-01-01', '2026-03-31'],
] as const)('the period %s is from %s to %s', (period, from, to) => {
  expect(daysOf(period, now)).toEqual({ from, to });
  expect(read(`period=${period}&from=1999-01-01`)).toEqual({ period, from, to });
  expect(periods).toContain(period);
});

test.each([
  ['from=2026-01-01&to=2026-01-31', { period: 'custom', from: '2026-01-01', to: '2026-01-31' }],
  ['to=2026-01-31', { period: 'custom', to: '2026-01-31' }],
  ['period=custom', { period: 'custom' }],
  ['from=2026-02-01&to=2026-01-31', {}],
  ['from=2026-02-30', {}],
  ['period=century&from=2026-01-01', { period: 'custom', from: '2026-01-01' }],
  ['roomId=acme&agentId=1&playbook=%00&score=11&guests=maybe&sort=random', {}],
  [`q=${'x'.repeat(201)}`, {}],
  ['q=%00', {}],
  ['q=+acme+&score=none', { q: 'acme', score: 'none' }],
])('of the address %s, what is valid is %j', (address, valid) => {
  expect(read(address)).toEqual(valid);
});
