import type { Participant } from '#domain/calls/participant.ts';
import type { Roster } from '#web/live/roster.ts';
import { text } from './texts.ts';

/** Names that differ only in case, accents, spaces or punctuation count as the same. */
const collator = new Intl.Collator('en', { sensitivity: 'base', ignorePunctuation: true });

/** Returns a guest's name, marked as a guest's if a member has the same name. */
export const nameOfGuest = (name: string, staff: readonly string[]): string =>
  staff.some((one) => collator.compare(one, name) === 0)
    ? text('meeting.guestNamed', { name })
    : name;

export const staffNames = (people: readonly Pick<Participant, 'kind' | 'name'>[]): string[] =>
  people.filter(({ kind }) => kind === 'staff').map(({ name }) => name);

/** Returns the roster as it is shown: a guest's name is never mistaken for a member's. */
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
