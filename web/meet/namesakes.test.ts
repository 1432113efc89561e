import { expect, test } from 'vitest';
import { fakePerson } from '#web/live/fake-person.ts';
import type { Roster } from '#web/live/roster.ts';
import { markNamesakes } from './namesakes.ts';

const shown = (...participants: Roster['participants']) =>
  markNamesakes({ self: null, participants, missing: [] }).participants.map(({ name }) => name);
const ada = fakePerson('ada', { kind: 'staff', name: 'Ada Lovelace' });
const guest = (name: string) => fakePerson(name, { kind: 'guest', name });

test('a guest who is called like a member of the team is shown as a guest', () => {
  for (const name of ['Ada Lovelace', 'ADA LOVELACE', 'Adá  Lovelace.']) {
    expect(shown(ada, guest(name))).toEqual(['Ada Lovelace', `${name} (guest)`]);
  }
});

test('other guests, and two guests of one name, are shown as they are called', () => {
  expect(shown(ada, guest('Bo'), guest('Ada L'))).toEqual(['Ada Lovelace', 'Bo', 'Ada L']);
  expect(shown(guest('Bo'), guest('Bo'))).toEqual(['Bo', 'Bo']);
});
