import type { Attendance } from '#domain/calls/contract.ts';

export interface PersonInCall {
  /** The first of the person's stays. */
  id: string;
  kind: Attendance['kind'];
  name: string;
  avatar: string | null;
  stays: readonly Pick<Attendance, 'id' | 'joinedAt' | 'leftAt'>[];
}

/**
 * Returns the stays of a call by person, in the order of their first stay. Staff are known by their
 * account; guests have none, so each stay of a guest counts as a person.
 */
export function peopleInCall(attendances: readonly Attendance[]): PersonInCall[] {
  const people = new Map<string, PersonInCall>();
  for (const { id, kind, accountId, name, avatar, joinedAt, leftAt } of attendances) {
    const key = accountId ?? id;
    const known = people.get(key) ?? { id, kind, name, avatar, stays: [] };
    people.set(key, { ...known, stays: [...known.stays, { id, joinedAt, leftAt }] });
  }
  return [...people.values()];
}
