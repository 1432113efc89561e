import type { GuestLinkId, OrgId, ParticipantId } from '#domain/ids.ts';
import { tenantOf } from '#server/platform/access.ts';
import { FairQueue } from '#server/platform/fair-queue.ts';
import type { EndedAuthority } from '#server/platform/revocations.ts';
import {
  findHostedTokens,
  type HostedTokenHolders,
  holdersAtOnce,
  organizationsOfHolders,
  organizationsWithHolders,
} from '#server/rooms/hosted-holders.ts';
import type { HostedToken } from '#server/rooms/hosted-tokens.ts';
import type { Services } from '#server/services.ts';
import { concerns } from './follow-revocations.ts';

/** The holders in one organization whom a revocation concerns. */
interface LookUp {
  revocation: EndedAuthority;
  /** The last participant of the page before. */
  after: ParticipantId | null;
  hasBegun: boolean;
  /** The authority ended again after this began: it starts over. */
  isDueAgain: boolean;
}

/**
 * Reads the holders of a hosted page's tokens whom revocations concern. A turn is a page of one organization's
 * holders, whichever authority they have, so that no organization waits for what another one has ended. Of one
 * authority, one look-up waits at most: it also reads what a later revocation has ended.
 */
export class HostedLookUps {
  readonly #services: Services;
  readonly #handle: (tokens: HostedToken[]) => Promise<void>;
  /** As for look-ups of people with a page of ours (follow-revocations.ts). */
  readonly #turns = new FairQueue({
    atOnce: 3,
    perKey: 1,
    mostWaiting: Number.POSITIVE_INFINITY,
  });
  readonly #waiting = new Map<OrgId, Map<string, LookUp>>();
  /** Revocations of sessions and links, and all that were missed: they do not name an organization. */
  #unplaced = new Map<string, EndedAuthority>();
  #isPlacing = false;

  /** @param handle what to do with a page of tokens */
  constructor(services: Services, handle: (tokens: HostedToken[]) => Promise<void>) {
    this.#services = services;
    this.#handle = handle;
  }

  add(revocation: EndedAuthority): void {
    if ('orgId' in revocation) this.#wait(revocation.orgId, revocation);
    else {
      this.#unplaced.set(JSON.stringify(revocation), revocation);
      if (!this.#isPlacing) void this.#place();
    }
  }

  /** Finds the organizations of all revocations that arrived meanwhile in one query, one after the other. */
  async #place(): Promise<void> {
    this.#isPlacing = true;
    while (this.#unplaced.size > 0) {
      const some = [...this.#unplaced.values()];
      this.#unplaced = new Map();
      await this.#placeAll(some).catch((error) => this.#failed(error));
    }
    this.#isPlacing = false;
  }

  async #placeAll(revocations: EndedAuthority[]): Promise<void> {
    const { database } = this.#services;
    const sessions: string[] = [];
    const links: GuestLinkId[] = [];
    for (const revocation of revocations) {
      if (revocation.kind === 'session') sessions.push(revocation.sessionId);
      if (revocation.kind === 'guest-link') links.push(revocation.guestLinkId);
      if (revocation.kind !== 'missed') continue;
      for (const org of await organizationsWithHolders(database)) this.#wait(org, revocation);
    }
    if (sessions.length + links.length === 0) return;
    for (const found of await organizationsOfHolders(database, sessions, links)) {
      const { orgId, sessionId, guestLinkId } = found;
      if (sessionId) this.#wait(orgId, { kind: 'session', sessionId });
      if (guestLinkId) this.#wait(orgId, { kind: 'guest-link', guestLinkId });
    }
  }

  #wait(org: OrgId, revocation: EndedAuthority): void {
    const lookUps = this.#waiting.get(org) ?? new Map<string, LookUp>();
    this.#waiting.set(org, lookUps);
    const key = JSON.stringify(revocation);
    const same = lookUps.get(key);
    if (same) {
      same.isDueAgain = same.hasBegun;
      return;
    }
    lookUps.set(key, fromStart(revocation));
    this.#takeTurn(org, lookUps);
  }

  /** Each look-up that waits has asked for one turn of its organization, which whichever is next gets. */
  #takeTurn(org: OrgId, lookUps: Map<string, LookUp>): void {
    this.#turns
      .run(org, () => this.#lookUpNext(org, lookUps))
      .catch((error) => this.#failed(error));
  }

  async #lookUpNext(org: OrgId, lookUps: Map<string, LookUp>): Promise<void> {
    const [key, lookUp] = nextOf(lookUps);
    lookUp.hasBegun = true;
    let last: ParticipantId | null = null;
    try {
      last = await this.#lookUpPage(org, lookUp);
    } finally {
      // Behind the others of its organization.
      lookUps.delete(key);
      if (last || lookUp.isDueAgain) {
        lookUps.set(key, last ? { ...lookUp, after: last } : fromStart(lookUp.revocation));
        this.#takeTurn(org, lookUps);
      } else if (lookUps.size === 0) this.#waiting.delete(org);
    }
  }

  /** @returns the last participant, if another page may follow */
  async #lookUpPage(org: OrgId, { revocation, after }: LookUp): Promise<ParticipantId | null> {
    const actor = { kind: 'system' as const, name: 'hosted-revocations', orgId: org };
    const tenant = tenantOf(this.#services.database, actor, null);
    const page = await findHostedTokens(tenant, holdersOf(revocation), after);
    await this.#handle(page.filter(({ claims }) => concerns(revocation, claims)));
    if (page.length < holdersAtOnce) return null;
    return page.at(-1)?.claims.participantId ?? null;
  }

  #failed(error: unknown): void {
    this.#services.log.error({ err: error }, 'hosted participants were not looked up');
  }
}

const fromStart = (revocation: EndedAuthority): LookUp => ({
  revocation,
  after: null,
  hasBegun: false,
  isDueAgain: false,
});

/** Colleagues come first: they are few, and more at stake. */
function nextOf(lookUps: Map<string, LookUp>): [string, LookUp] {
  const isOfStaff = ({ revocation: { kind } }: LookUp) => kind === 'session' || kind === 'member';
  const [first] = lookUps;
  const found = [...lookUps].find(([, lookUp]) => isOfStaff(lookUp)) ?? first;
  if (!found) throw new Error('a look-up took two turns');
  return found;
}

function holdersOf(revocation: EndedAuthority): HostedTokenHolders {
  switch (revocation.kind) {
    case 'missed':
      return null;
    case 'session':
      return { sessionId: revocation.sessionId };
    case 'guest-link':
      return { guestLinkId: revocation.guestLinkId };
    case 'member':
      return { accountId: revocation.accountId };
    case 'organization':
      return { kind: 'staff' };
    case 'guests':
    case 'api-token':
      return { kind: 'guest' };
    case 'lobby':
    case 'room':
      return { roomId: revocation.roomId };
  }
}
