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
 * The stays of a call by person, in the order in which they first came. Staff are known by their
 * account; guests have none, so each stay of a guest is a person of its own.
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
