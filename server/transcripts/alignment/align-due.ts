import type { OrgId, RecordedMediaId } from '#domain/ids.ts';
import type { Statement } from '#server/platform/database.ts';
import { FairQueue } from '#server/platform/fair-queue.ts';
import { type Repeated, repeat } from '#server/platform/repeat.ts';
import type { Services } from '#server/services.ts';
import { alignMedia, clearTemporary, type MediaToAlign } from './align-media.ts';

const everySeconds = 10;
/** Each takes a core, behind the calls, and up to 320 MB. An organization has one. */
const atOnce = 2;
/** An hour takes half a minute of a core. Organizations whose files take longer share one place, behind the others. */
const slowMs = 2 * 60_000;

const due: Statement = {
  name: 'media_to_align',
  text: 'select org_id as "orgId", media_id as "mediaId" from media_to_align($1, $2)',
};
/** Of an organization at a time, with those that wait. */
const ofOrganization = 20;
const inAll = 200;

/** Aligns the transcripts of recorded files, so that no organization waits for the files of another one. */
export class Aligning {
  readonly #services: Services;
  readonly #align: typeof alignMedia;
  readonly #queue = new FairQueue({ atOnce, perKey: 1, mostWaiting: ofOrganization });
  readonly #aligning = new Map<RecordedMediaId, { orgId: OrgId; aligned: Promise<void> }>();
  readonly #stopping = new AbortController();

  constructor(services: Services, align = alignMedia) {
    this.#services = services;
    this.#align = align;
  }

  /** Begins with what is due, and is not being aligned already. @returns what it began */
  async begin(): Promise<Promise<void>[]> {
    const found = await this.#services.database.connection('outside', ({ run }) =>
      run<MediaToAlign & Record<string, unknown>>(due, [ofOrganization, inAll]),
    );
    return found.flatMap((media) => {
      const { mediaId, orgId } = media;
      if (this.#aligning.has(mediaId) || this.#isFull(orgId)) return [];
      const aligned = this.#alignOne(media)
        .catch((err) => this.#services.log.error({ err, orgId }, 'a transcript was not aligned'))
        .finally(() => this.#aligning.delete(mediaId));
      this.#aligning.set(mediaId, { orgId, aligned });
      return [aligned];
    });
  }

  /** Ends the current ones. They are tried again after the next start. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all([...this.#aligning.values()].map(({ aligned }) => aligned));
  }

  #isFull(orgId: OrgId): boolean {
    const aligning = [...this.#aligning.values()].filter((one) => one.orgId === orgId);
    return aligning.length >= ofOrganization;
  }

  /** Aligns a file and, some at a time behind the files that wait, has its missing phrases recognized. */
  async #alignOne(media: MediaToAlign): Promise<void> {
    const { signal } = this.#stopping;
    let rest = await this.#inTurn(media.orgId, async () =>
      signal.aborted ? null : this.#align(this.#services, media, signal),
    );
    // Once it is stopped, this only deletes temporary files.
    while (rest) rest = await this.#inTurn(media.orgId, rest);
  }

  #inTurn<T>(orgId: OrgId, task: () => Promise<T>): Promise<T> {
    return this.#queue.run(orgId, async () => {
      const startedAt = performance.now();
      const done = await task();
      if (performance.now() - startedAt > slowMs) this.#queue.overran(orgId);
      return done;
    });
  }
}

/** Aligns the transcripts of recorded files that are due. @returns their number */
export async function alignDue(services: Services): Promise<number> {
  const begun = await new Aligning(services).begin();
  await Promise.all(begun);
  return begun.length;
}

/** Aligns what is due until it is stopped. */
export async function startAligning(services: Services): Promise<Repeated> {
  await clearTemporary(services);
  const aligning = new Aligning(services);
  const failed = 'transcripts to align could not be looked for';
  const looking = repeat({ everySeconds, log: services.log, failed }, () => aligning.begin());
  return {
    stop: async () => {
      await looking.stop();
      await aligning.stop();
    },
  };
}
