import { sayHelloAgain } from '#domain/calls/close-codes.ts';
import type { OrgId } from '#domain/ids.ts';
import { expiredSessions } from '#server/calls/follow-revocations.ts';
import { Allowance } from '#server/platform/allowance.ts';
import type { Revocation } from '#server/platform/revocations.ts';
import { listenToLobbies } from '#server/rooms/lobby-events.ts';
import type { Services } from '#server/services.ts';
import type { NoticePage, Reader } from './notice-page.ts';
import { OrganizationNotices, toldOfOrganization } from './organization-notices.ts';

/**
 * How often the rooms of an organization in which something happens are read without a change being heard:
 * guests and processes that fail fall silent.
 */
const lookSeconds = 15;

/** The browsers that read notices on this process. */
export class LiveNotices {
  readonly #services: Services;
  readonly #organizations = new Map<OrgId, OrganizationNotices>();
  readonly #told: Allowance;
  readonly #timer: NodeJS.Timeout;
  readonly #stops: (() => void)[];

  constructor(services: Services) {
    this.#services = services;
    this.#told = new Allowance(toldOfOrganization, services.config.RATE_LIMIT_SCALE);
    this.#stops = [
      listenToLobbies(services.bus, ({ orgId }) => this.#organizations.get(orgId)?.read()),
      services.revocations.subscribe((revocation) => this.#revoke(revocation)),
    ];
    this.#timer = setInterval(() => void this.look(), lookSeconds * 1000);
  }

  /** Tells a browser what happens in its organization, until its socket closes. */
  add(page: NoticePage): void {
    const { orgId } = page.reader;
    const organization =
      this.#organizations.get(orgId) ?? new OrganizationNotices(this.#services, orgId, this.#told);
    this.#organizations.set(orgId, organization);
    page.socket.once('close', () => {
      organization.pages.delete(page);
      if (organization.pages.size > 0 || this.#organizations.get(orgId) !== organization) return;
      this.#organizations.delete(orgId);
      organization.close();
    });
    void organization.add(page);
  }

  /** Reads again where something happens, and lets go of those whose sessions have expired. */
  async look(): Promise<void> {
    for (const organization of this.#organizations.values()) {
      if (organization.isBusy) organization.read();
    }
    const pages = Map.groupBy(this.#pages(), ({ reader }) => reader.sessionId);
    if (pages.size === 0) return;
    try {
      const expired = await expiredSessions(this.#services, [...pages.keys()]);
      for (const page of expired.flatMap((id) => pages.get(id) ?? [])) letGo(page);
    } catch (error) {
      this.#services.log.error({ err: error }, 'expired sessions could not be looked up');
    }
  }

  close(): void {
    clearInterval(this.#timer);
    for (const stop of this.#stops) stop();
    for (const page of this.#pages()) letGo(page);
    for (const organization of this.#organizations.values()) organization.close();
    this.#organizations.clear();
  }

  #pages(): NoticePage[] {
    return [...this.#organizations.values()].flatMap(({ pages }) => [...pages]);
  }

  #revoke(revocation: Revocation): void {
    if (revocation.kind === 'room') this.#organizations.get(revocation.orgId)?.read();
    for (const page of this.#pages()) if (concerns(revocation, page.reader)) letGo(page);
  }
}

/** What was said before stays said; the browser connects again, if it still may. */
function letGo({ socket }: NoticePage): void {
  socket.close(sayHelloAgain, 'connect again');
}

/** Whether the authority that has ended is one of those that a reader has. */
function concerns(revocation: Revocation, reader: Reader): boolean {
  switch (revocation.kind) {
    case 'missed':
      return true;
    case 'session':
      return revocation.sessionId === reader.sessionId;
    case 'member':
      return revocation.orgId === reader.orgId && revocation.accountId === reader.accountId;
    case 'organization':
      return revocation.orgId === reader.orgId;
    case 'guests':
    case 'api-token':
    case 'guest-link':
    case 'capture':
    case 'lobby':
    case 'room':
    case 'removal':
      return false;
  }
}
