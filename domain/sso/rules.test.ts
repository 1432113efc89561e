import { expect, test } from 'vitest';
import { domainOf, mappedRole, recordNameOf, recordTextOf } from './rules.ts';

test('the domain of an address is what follows its last @, in lower case', () => {
  expect(domainOf('Ann@Example.COM')).toBe('example.com');
  expect(domainOf('"a@b"@example.com')).toBe('example.com');
});

test('the TXT record of a domain has its own name and says whose it is', () => {
  expect(recordNameOf('example.com')).toBe('_rapport.example.com');
  expect(recordTextOf('abc')).toBe('rapport-verification=abc');
});

const mapping = {
  defaultRole: 'VIEWER' as const,
  roleClaim: 'groups',
  roleRules: [
    { value: 'readers', role: 'VIEWER' as const },
    { value: 'success', role: 'AGENT' as const },
    { value: 'admins', role: 'ORGADMIN' as const },
  ],
};

test.each([
  [['readers', 'admins', 'success'], 'ORGADMIN'],
  [['readers', 'success'], 'AGENT'],
  [['readers'], 'VIEWER'],
  [['others'], null],
  [[], null],
] as const)('the groups %j give the role %s', (groups, role) => {
  expect(mappedRole(mapping, { groups: [...groups] })).toBe(role);
});

test('without a claim, or without its values, no role is given', () => {
  expect(mappedRole({ ...mapping, roleClaim: null }, { groups: ['admins'] })).toBe(null);
  expect(mappedRole(mapping, { roles: ['admins'] })).toBe(null);
});
