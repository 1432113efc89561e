import { setTimeout as sleep } from 'node:timers/promises';
import type { OrgId } from '#domain/ids.ts';
import { listenToCalls } from '#server/calls/call-changes.ts';
import { tenantOf } from '#server/platform/access.ts';
import type { Allowance } from '#server/platform/allowance.ts';
import type { Subscription } from '#server/platform/live-bus.ts';
import type { Services } from '#server/services.ts';
import { GuestsInside } from './guests-inside.ts';
import { type NoticePage, RoomsText } from './notice-page.ts';
import { type BusyRoom, readRoomsNow } from './rooms-now.ts';

/** Changes within this time of each other share one query. The first is told without delay. */
const restMs = 100;
const retryMs = 1_000;
/** A reading takes longer the more calls run, so that it is followed by a longer rest. */
const restPerWork = 4;
const longestRestMs = 2_000;
/**
 * Messages of an organization, by their length (`tell`). A change goes to all its browsers, so the more there are,
 * and the more happens, the more changes share one reading.
 */
export const toldOfOrganization = { burst: 4_000, perSecond: 2_000 };
const charactersOfOne = 1_000;

interface Known {
  busy: BusyRoom;
  /** To compare it with the next reading. */
  text: string;
}

/** The browsers of one organization that read notices on this process, and what they have been told. */
export class OrganizationNotices {
  readonly pages = new Set<NoticePage>();
  readonly #services: Services;
  readonly #orgId: OrgId;
  readonly #subscription: Subscription;
  readonly #told: Allowance;
  readonly #inside: GuestsInside;
  readonly #closed = new AbortController();
  #known = new Map<string, Known>();
  #mustRead = false;
  #isReading = false;

  /** @param told what organizations may be told, which outlasts this one's browsers */
  constructor(services: Services, orgId: OrgId, told: Allowance) {
    this.#services = services;
    this.#orgId = orgId;
    this.#told = told;
    this.#inside = new GuestsInside(services.bus.presence);
    this.#subscription = listenToCalls(services.bus, orgId, ({ guestsIn }) => {
      if (guestsIn) this.#inside.heardOf(guestsIn);
      this.read();
    });
  }

  /** Whether anyone waits or is in a call, as far as was read. */
  get isBusy(): boolean {
    return this.#known.size > 0;
  }

  /** Adds a browser, which then gets all rooms. */
  async add(page: NoticePage): Promise<void> {
    this.pages.add(page);
    await this.#subscription.ready;
    this.read();
  }

  close(): void {
    this.#closed.abort();
    this.#subscription.stop();
  }

  /** Reads what happens now, and tells the browsers what has changed. */
  read(): void {
    this.#mustRead = true;
    if (!this.#isReading) void this.#readUntilQuiet();
  }

  async #readUntilQuiet(): Promise<void> {
    const { signal } = this.#closed;
    this.#isReading = true;
    while (this.#mustRead && !signal.aborted) {
      this.#mustRead = false;
      const startedAt = performance.now();
      const pauseMs = await this.#readOnce().catch((error) => {
        this.#services.log.error(
          { err: error },
          'the notices of an organization could not be read',
        );
        this.#mustRead = true;
        return retryMs;
      });
      const costMs = Math.min((performance.now() - startedAt) * restPerWork, longestRestMs);
      await sleep(Math.max(pauseMs, costMs), undefined, { signal }).catch(() => undefined);
    }
    this.#isReading = false;
  }

  /** @returns milliseconds until the next reading may begin */
  async #readOnce(): Promise<number> {
    const actor = { kind: 'system' as const, name: 'notices', orgId: this.#orgId };
    // Those who are added during the query are told by the next one.
    const pages = [...this.pages];
    const tenant = tenantOf(this.#services.database, actor, null);
    const rooms = await readRoomsNow(tenant, await this.#inside.read());
    if (this.#closed.signal.aborted) return restMs;
    const before = this.#known;
    this.#known = new Map(
      rooms.map((busy) => [busy.room.roomId, { busy, text: JSON.stringify(busy) }]),
    );
    const greeted = [...this.pages].filter(({ isGreeted }) => isGreeted);
    const fresh = pages.filter((page) => this.pages.has(page) && !page.isGreeted);
    const changes = new RoomsText(this.#changedSince(before));
    const all = new RoomsText([...this.#known.values()].map(({ busy }) => busy));
    let cost = 0;
    if (!changes.isEmpty) for (const page of greeted) cost += tell(page, changes.changed(page));
    for (const page of fresh) cost += this.#greet(page, all);
    return Math.max(restMs, this.#told.spend(this.#orgId, cost));
  }

  #changedSince(before: Map<string, Known>): BusyRoom[] {
    const changed = [...this.#known.values()].filter(
      ({ busy, text }) => before.get(busy.room.roomId)?.text !== text,
    );
    const over = [...before.values()].filter(({ busy }) => !this.#known.has(busy.room.roomId));
    return [...changed.map(({ busy }) => busy), ...over.map(({ busy }) => quiet(busy))];
  }

  #greet(page: NoticePage, rooms: RoomsText): number {
    page.isGreeted = true;
    return tell(page, rooms.all(page));
  }
}

/** @returns what a message costs: one for each 1,000 characters that it begins */
function tell(page: NoticePage, text: string): number {
  page.send(text);
  return Math.ceil(text.length / charactersOfOne);
}

const quiet = (busy: BusyRoom): BusyRoom => ({
  ...busy,
  room: { ...busy.room, call: null, waiting: 0 },
  guests: [],
});
