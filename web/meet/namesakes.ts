import type { Participant } from '#domain/calls/live.ts';
import type { Roster } from '#web/live/roster.ts';
import { text } from './texts.ts';

/** Case, accents, spaces and punctuation tell no two names apart in a call. */
const collator = new Intl.Collator('en', { sensitivity: 'base', ignorePunctuation: true });

/** The name of a guest, marked as a guest's where a member of the team is called the same. */
export const nameOfGuest = (name: string, staff: readonly string[]): string =>
  staff.some((one) => collator.compare(one, name) === 0)
    ? text('meeting.guestNamed', { name })
    : name;

export const staffNames = (people: readonly Pick<Participant, 'kind' | 'name'>[]): string[] =>
  people.filter(({ kind }) => kind === 'staff').map(({ name }) => name);

/** The roster as it is shown: a guest is never taken for a member of the team by the name. */
export function markNamesakes(roster: Roster): Roster {
  const staff = staffNames(roster.participants);
  if (staff.length === 0) return roster;
  const participants = roster.participants.map((one) => {
    if (one.kind === 'staff') return one;
    const name = nameOfGuest(one.name, staff);
    return name === one.name ? one : { ...one, name };
  });
  return { ...roster, participants };
}
