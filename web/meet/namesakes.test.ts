import { expect, test } from 'vitest';
import { fakePerson } from '#web/live/fake-person.ts';
import type { Roster } from '#web/live/roster.ts';
import { markNamesakes } from './namesakes.ts';

const shown = (...participants: Roster['participants']) =>
  markNamesakes({ self: null, participants, missing: [] }).participants.map(({ name }) => name);
const ada = fakePerson('ada', { kind: 'staff', name: 'Ada Lovelace' });
const guest = (name: string) => fakePerson(name, { kind: 'guest', name });

test('a guest with the same name as a member is marked as a guest', () => {
  for (const name of ['Ada Lovelace', 'ADA LOVELACE', 'Adá  Lovelace.']) {
    expect(shown(ada, guest(name))).toEqual(['Ada Lovelace', `${name} (guest)`]);
  }
});

test('other guests, and two guests with the same name, are not marked', () => {
  expect(shown(ada, guest('Bo'), guest('Ada L'))).toEqual(['Ada Lovelace', 'Bo', 'Ada L']);
  expect(shown(guest('Bo'), guest('Bo'))).toEqual(['Bo', 'Bo']);
});
