import type { OrgId } from '#domain/ids.ts';
import { FairQueue } from './fair-queue.ts';
import type { Logger } from './log.ts';
import { type Repeated, repeat } from './repeat.ts';

/** Each takes a core, behind the calls, and up to 320 MB. An organization has one. */
const atOnce = 2;
/** Of an organization at a time, with those that wait. */
const ofOrganization = 20;
const inAll = 200;

/** Does a part of what is left of a file. @returns the rest; null once nothing is left */
export type RestOfFile = () => Promise<RestOfFile | null>;

interface FilesInTurnOptions<File extends { orgId: OrgId }> {
  log: Logger;
  idOf: (file: File) => string;
  /** Finds what is due, organizations in turn. */
  find: (ofOrganization: number, inAll: number) => Promise<File[]>;
  /**
   * Works on a file.
   * @returns what is left, for after the files that wait; once `signal` is aborted, that only deletes temporary files
   */
  begin: (file: File, signal: AbortSignal) => Promise<RestOfFile | null>;
  /** Organizations whose files take longer share one place, behind the others. */
  slowMs: number;
  /** The log message of a file whose work failed. */
  failed: string;
}

/** Works on the recorded files that are due, so that no organization waits for the files of another one. */
export class FilesInTurn<File extends { orgId: OrgId }> {
  readonly #options: FilesInTurnOptions<File>;
  readonly #queue = new FairQueue({ atOnce, perKey: 1, mostWaiting: ofOrganization });
  readonly #begun = new Map<string, { orgId: OrgId; done: Promise<void> }>();
  readonly #stopping = new AbortController();

  constructor(options: FilesInTurnOptions<File>) {
    this.#options = options;
  }

  /** Begins with what is due, and was not begun already. @returns what it began */
  async begin(): Promise<Promise<void>[]> {
    const { log, idOf, find, failed } = this.#options;
    const found = await find(ofOrganization, inAll);
    return found.flatMap((file) => {
      const { orgId } = file;
      const id = idOf(file);
      if (this.#begun.has(id) || this.#isFull(orgId)) return [];
      const done = this.#workOn(file)
        .catch((err) => log.error({ err, orgId }, failed))
        .finally(() => this.#begun.delete(id));
      this.#begun.set(id, { orgId, done });
      return [done];
    });
  }

  /** Ends the current work. It is tried again after the next start. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all([...this.#begun.values()].map(({ done }) => done));
  }

  #isFull(orgId: OrgId): boolean {
    const own = [...this.#begun.values()].filter((one) => one.orgId === orgId);
    return own.length >= ofOrganization;
  }

  async #workOn(file: File): Promise<void> {
    const { signal } = this.#stopping;
    let rest = await this.#inTurn(file.orgId, async () =>
      signal.aborted ? null : this.#options.begin(file, signal),
    );
    while (rest) rest = await this.#inTurn(file.orgId, rest);
  }

  #inTurn<T>(orgId: OrgId, task: () => Promise<T>): Promise<T> {
    return this.#queue.run(orgId, async () => {
      const startedAt = performance.now();
      const done = await task();
      if (performance.now() - startedAt > this.#options.slowMs) this.#queue.overran(orgId);
      return done;
    });
  }
}

/** Works on what is due, and waits for it. @returns the number of files */
export async function workOnDue(files: Pick<FilesInTurn<never>, 'begin'>): Promise<number> {
  const begun = await files.begin();
  await Promise.all(begun);
  return begun.length;
}

/**
 * Works on what is due until it is stopped.
 * @param failed the log message when it could not be looked for
 */
export function workInTurn(
  files: Pick<FilesInTurn<never>, 'begin' | 'stop'>,
  how: { everySeconds: number; log: Logger; failed: string },
): Repeated {
  const looking = repeat(how, () => files.begin());
  return {
    stop: async () => {
      await looking.stop();
      await files.stop();
    },
  };
}
