import { absenceGraceSeconds } from '#domain/calls/live.ts';
import type { Channel } from '#domain/calls/participant.ts';
import type { OrgId } from '#domain/ids.ts';
import { entrantOf, isConnected, type Person } from './live-person.ts';

/** Participants of an account, or of the guests of an address, whose places an organization keeps. */
const mostOfEntrant = 20;
/** In one room, and in one organization. Beyond it, the account or address with most of them gives one up. */
const mostInRoom = 100;
const mostInOrganization = 500;
/** An account or address keeps these also where many others are gone, as after a failure of a proxy. */
const alwaysKept = 2;

/**
 * The participants of this process whose sockets are gone. Their places are kept for a while. Beyond the
 * bounds, the earliest leaves.
 */
export class Absences {
  readonly #leave: (person: Person, channel: Channel) => void;
  /** By organization, and by account or address. */
  readonly #absent = new Map<OrgId, Map<string, Set<Person>>>();

  /** @param leave ends the session of one page */
  constructor(leave: (person: Person, channel: Channel) => void) {
    this.#leave = leave;
  }

  /** Keeps the place of a page whose socket is gone. */
  begin(person: Person, channel: Channel): void {
    const timer = setTimeout(() => this.#leave(person, channel), absenceGraceSeconds * 1000);
    person.absences.set(channel, timer.unref());
    if (isConnected(person)) return;
    const { orgId, roomId } = person.admitted.claims;
    const ofOrganization = this.#absent.get(orgId) ?? new Map<string, Set<Person>>();
    this.#absent.set(orgId, ofOrganization);
    const own = ofOrganization.get(entrantOf(person)) ?? new Set();
    ofOrganization.set(entrantOf(person), own.add(person));
    const groups = [...ofOrganization.values()].map((group) => [...group]);
    const inRoom = groups.map((group) =>
      group.filter(({ admitted }) => admitted.claims.roomId === roomId),
    );
    const last =
      surplus([[...own]], mostOfEntrant) ??
      surplus(groups, mostInOrganization) ??
      surplus(inRoom, mostInRoom);
    if (last) for (const each of [...last.sessions.keys()]) this.#leave(last, each);
  }

  /** The page is back. */
  end(person: Person, channel: Channel): void {
    this.#stopTimer(person, channel);
    this.#forget(person);
  }

  /** The page's session has ended. */
  over(person: Person, channel: Channel): void {
    this.#stopTimer(person, channel);
    if (person.absences.size === 0) this.#forget(person);
  }

  #stopTimer(person: Person, channel: Channel): void {
    clearTimeout(person.absences.get(channel));
    person.absences.delete(channel);
  }

  #forget(person: Person): void {
    const { orgId } = person.admitted.claims;
    const ofOrganization = this.#absent.get(orgId);
    const own = ofOrganization?.get(entrantOf(person));
    if (!ofOrganization || !own?.delete(person)) return;
    if (own.size === 0) ofOrganization.delete(entrantOf(person));
    if (ofOrganization.size === 0) this.#absent.delete(orgId);
  }
}

/** Returns the earliest of the largest group, if there are too many in all. */
function surplus(groups: Person[][], most: number): Person | undefined {
  const total = groups.reduce((sum, { length }) => sum + length, 0);
  if (total <= most) return undefined;
  const largest = groups.reduce((one, other) => (other.length > one.length ? other : one));
  return largest.length > alwaysKept ? largest[0] : undefined;
}
