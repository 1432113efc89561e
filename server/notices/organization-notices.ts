import { setTimeout as sleep } from 'node:timers/promises';
import type { OrgId } from '#domain/ids.ts';
import { listenToCalls } from '#server/calls/call-changes.ts';
import { tenantOf } from '#server/platform/access.ts';
import type { Subscription } from '#server/platform/live-bus.ts';
import type { Services } from '#server/services.ts';
import { GuestsInside } from './guests-inside.ts';
import { asText, type NoticePage, shownTo } from './notice-page.ts';
import { type BusyRoom, readRoomsNow } from './rooms-now.ts';

/** Changes within this time of each other share one query. The first is told without delay. */
const restMs = 100;
const retryMs = 1_000;

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
  readonly #inside: GuestsInside;
  readonly #closed = new AbortController();
  #known = new Map<string, Known>();
  #mustRead = false;
  #isReading = false;

  constructor(services: Services, orgId: OrgId) {
    this.#services = services;
    this.#orgId = orgId;
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
      const hasFailed = await this.#readOnce().catch((error) => {
        this.#services.log.error(
          { err: error },
          'the notices of an organization could not be read',
        );
        this.#mustRead = true;
        return true;
      });
      await sleep(hasFailed ? retryMs : restMs, undefined, { signal }).catch(() => undefined);
    }
    this.#isReading = false;
  }

  async #readOnce(): Promise<boolean> {
    const actor = { kind: 'system' as const, name: 'notices', orgId: this.#orgId };
    // Those who are added during the query are told by the next one.
    const pages = [...this.pages];
    const tenant = tenantOf(this.#services.database, actor, null);
    const rooms = await readRoomsNow(tenant, await this.#inside.read());
    if (this.#closed.signal.aborted) return false;
    const before = this.#known;
    this.#known = new Map(
      rooms.map((busy) => [busy.room.roomId, { busy, text: JSON.stringify(busy) }]),
    );
    for (const busy of this.#changedSince(before)) this.#tell(busy);
    for (const page of pages) if (!page.isGreeted) this.#greet(page);
    return false;
  }

  #changedSince(before: Map<string, Known>): BusyRoom[] {
    const changed = [...this.#known.values()].filter(
      ({ busy, text }) => before.get(busy.room.roomId)?.text !== text,
    );
    const over = [...before.values()].filter(({ busy }) => !this.#known.has(busy.room.roomId));
    return [...changed.map(({ busy }) => busy), ...over.map(({ busy }) => quiet(busy))];
  }

  /** A room's change is serialized twice at most: with its guests, and without. */
  #tell(busy: BusyRoom): void {
    const texts = new Map<boolean, string>();
    for (const page of this.pages) {
      if (!page.isGreeted) continue;
      const isCalled = page.isCalledTo(busy);
      const text = texts.get(isCalled) ?? asText({ type: 'room', room: shownTo(page, busy) });
      texts.set(isCalled, text);
      page.send(text);
    }
  }

  #greet(page: NoticePage): void {
    if (!this.pages.has(page)) return;
    page.isGreeted = true;
    const rooms = [...this.#known.values()].map(({ busy }) => shownTo(page, busy));
    page.send(asText({ type: 'rooms', rooms }));
  }
}

const quiet = (busy: BusyRoom): BusyRoom => ({
  ...busy,
  room: { ...busy.room, call: null, waiting: 0 },
  guests: [],
});
