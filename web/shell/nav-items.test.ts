import { expect, test } from 'vitest';
import { initialsOf, initialsOfName, nameOf } from '#web/auth/person.ts';
import { activeItem, navItems } from '#web/shell/nav-items.ts';

test.each([
  ['/app', '/app'],
  ['/app/dashboard', '/app'],
  ['/app/rooms', '/app/rooms'],
  ['/app/rooms/1/call', '/app/rooms'],
  ['/app/playbooks', '/app/playbooks'],
  ['/app/analytics', '/app/analytics'],
  ['/app/settings', '/app/settings'],
  ['/elsewhere', undefined],
])('on %s the active item is %s, and no other', (path, item) => {
  expect(activeItem(path, navItems)).toBe(item);
});

test('an avatar shows the initials, else the first letter of the email, else U', () => {
  const nobody = { firstName: '', lastName: '', email: '' };
  expect(initialsOf({ firstName: 'Ada', lastName: 'lovelace', email: 'x@y.z' })).toBe('AL');
  expect(initialsOf({ ...nobody, email: 'grace@navy.mil' })).toBe('G');
  expect(initialsOf(nobody)).toBe('U');
  expect(initialsOfName('Grace Brewster Hopper')).toBe('GH');
});

test('the name is the full name, else the email, else User', () => {
  const nobody = { firstName: '', lastName: '', email: '' };
  expect(nameOf({ ...nobody, firstName: 'Ada', lastName: 'Lovelace' })).toBe('Ada Lovelace');
  expect(nameOf({ ...nobody, email: 'ada@example.com' })).toBe('ada@example.com');
  expect(nameOf(nobody)).toBe('User');
});
