import type { CallId, OrgId } from '#domain/ids.ts';
import { actingAccount, type Tenant, type TenantConnection } from '#server/platform/access.ts';
import type { Gate, Statement } from '#server/platform/database.ts';
import { FairQueue, tooManyWaiting } from '#server/platform/fair-queue.ts';
import { PacedTurns } from '#server/platform/paced-turns.ts';
import { TimedWorker, WorkerEnded } from '#server/platform/timed-worker.ts';
import { cannotBeOpened, refusalOf, takesTooLong } from './notes-refusals.ts';
import type { NotesAnswer, NotesTask } from './notes-tasks.ts';

/** Processor time of one change. Typed edits take less than one millisecond. */
const changeMs = 500;
/**
 * What a change has at first. One that needs more comes again, as one of an organization that overran, so that the
 * first costly changes of many new organizations do not keep the threads for long.
 */
const firstMs = 100;
const loadMs = 2000;
const threadCount = 2;
/** Bytes of text that the edits of an organization store. Each edit stores the whole text again. */
const ofTexts = { burst: 8 * 1024 * 1024, perSecond: 4 * 1024 * 1024 };
/** An edit that waits for longer is refused, and sent again by the page. */
const patienceMs = 15_000;
/** Edits of one account that wait. One more is refused. */
const mostWaiting = 50;
const idleMs = 600_000;
/** Three times the highest measured need of a change within all limits. */
const resourceLimits = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 4 };
const program = new URL('./notes-worker.ts', import.meta.url);

type Thread = TimedWorker<NotesTask, NotesAnswer>;
type Answered<Kind> = Extract<NotesAnswer, { kind: Kind }>;

/** The last stored update that a thread's document of a call contains. */
interface Kept {
  thread: Thread;
  generation: number;
  lastUpdate: number;
}

/** A call's document in one of the threads, for the duration of one transaction. */
export interface NotesDocument {
  /** The last stored update that it contains; 0 when it is not in memory. */
  lastUpdate: number;
  load(stored: { updates: Uint8Array[]; isFresh: boolean; last: number }): Promise<void>;
  ask<Kind extends 'changed' | 'read'>(task: NotesTask, kind: Kind): Promise<Answered<Kind>>;
}

/**
 * The documents of the calls on this process, in separate threads. PostgreSQL is the source of
 * truth: every change is stored, under a lock on its call, before it is sent to anyone, and changes
 * that another process stored meanwhile are read first. An organization uses at most one of the
 * threads at a time.
 */
export class NotesThreads {
  readonly #kept = new Map<CallId, Kept>();
  readonly #idle: Thread[] = Array.from(
    { length: threadCount },
    () => new TimedWorker({ program, idleMs, resourceLimits }),
  );
  readonly #queue = new FairQueue({ atOnce: threadCount, perKey: 1, mostWaiting: 200, rest: 3 });
  readonly #turns = new FairQueue({ atOnce: 6, perKey: 3, mostWaiting: 200 });
  readonly #texts: PacedTurns;
  readonly #mostExpected: number;
  /** Of the calls whose text was stored last. */
  readonly #textBytes = new Map<CallId, number>();
  /** Of the updates that were last loaded. */
  readonly #loadedBytes = new Map<CallId, number>();

  readonly #firstMs: number;

  /**
   * @param scale multiplies the rate of stored text, like the rate limits
   * @param first milliseconds of processor time that a change has at first
   */
  constructor(scale = 1, first = firstMs) {
    this.#firstMs = first;
    this.#texts = new PacedTurns(ofTexts, scale);
    this.#mostExpected = ofTexts.burst * scale;
  }

  /**
   * Runs a transaction on the notes of a call, once the organization may store the call's text again. Its
   * accounts take turns. A transaction whose change needs longer than most is rolled back, and runs once more.
   * @throws DomainError 429
   */
  async edit<T>(
    tenant: Tenant,
    call: CallId,
    work: (transaction: TenantConnection) => Promise<T>,
  ): Promise<T> {
    const { orgId } = tenant;
    const bytes = this.#textBytes.get(call) ?? (await storedBytes(tenant, call));
    const expected = Math.min(bytes, this.#mostExpected);
    await this.#turnToStore(orgId, actingAccount(tenant) ?? '', expected);
    try {
      return await this.#attempt(tenant, work).catch((error: unknown) => {
        if (!(error instanceof NeedsLonger)) throw error;
        return this.#attempt(tenant, work);
      });
    } catch (error) {
      // The document in memory may now be ahead of storage. The next edit loads it again, which nothing else is
      // charged for.
      this.delete(call);
      this.#texts.spend(orgId, this.#loadedBytes.get(call) ?? 0);
      throw error instanceof NeedsLonger ? takesTooLong() : error;
    } finally {
      // What was stored in the end is charged by `keep`.
      this.#texts.spend(orgId, -expected);
    }
  }

  #attempt<T>(tenant: Tenant, work: (transaction: TenantConnection) => Promise<T>): Promise<T> {
    return tenant.transaction(work, { through: this.gateOf(tenant.orgId) });
  }

  async #turnToStore(org: OrgId, member: string, bytes: number): Promise<void> {
    if (this.#texts.waiting(org, member) >= mostWaiting) throw tooManyWaiting();
    const isTurn = await this.#texts.turn(org, member, AbortSignal.timeout(patienceMs), bytes);
    if (!isTurn) throw tooManyWaiting();
  }

  /**
   * Returns the gate that a transaction on notes passes before it takes a connection. Otherwise it
   * would hold a connection, of which each organization may hold a few, while it waits for a thread
   * or for the lock on a call. It already has its tenant's turn, so that no organization keeps
   * these places while it waits for its own.
   * @throws DomainError 429
   */
  gateOf(org: OrgId): Gate {
    return (work) => this.#turns.run(org, work);
  }

  /** Lends the call's document. The caller holds the lock on the call. The work may run twice. */
  use<T>(org: OrgId, call: CallId, work: (document: NotesDocument) => Promise<T>): Promise<T> {
    return this.#queue.run(org, async (isSlow) => {
      const thread = this.#take(call);
      const lend = () => work(this.#documentOf(org, thread, call, isSlow));
      try {
        return await lend().catch((error: unknown) => {
          if (!(error instanceof DocumentAbsent)) throw error;
          return lend();
        });
      } finally {
        this.#idle.unshift(thread);
      }
    });
  }

  /** Records that the document contains all updates up to this one, and charges its text as stored. */
  keep(org: OrgId, call: CallId, { lastUpdate, text }: { lastUpdate: number; text: string }): void {
    const kept = this.#kept.get(call);
    if (kept) kept.lastUpdate = lastUpdate;
    const bytes = Buffer.byteLength(text);
    this.#texts.spend(org, bytes);
    this.#textBytes.delete(call);
    this.#textBytes.set(call, bytes);
    forgetOldest(this.#textBytes);
  }

  /** Discards the document, which may be ahead of storage. It is loaded again next time. */
  delete(call: CallId): void {
    this.#kept.delete(call);
  }

  /** Returns the thread that has the document, if it is idle, or else the one that worked last. */
  #take(call: CallId): Thread {
    const kept = this.#kept.get(call)?.thread;
    const at = kept ? this.#idle.indexOf(kept) : 0;
    const [thread] = this.#idle.splice(Math.max(0, at), 1);
    if (!thread) throw new Error('more notes tasks at a time than threads');
    return thread;
  }

  #documentOf(org: OrgId, thread: Thread, call: CallId, isSlow: boolean): NotesDocument {
    const kept = this.#kept.get(call);
    const isThere = kept?.thread === thread && kept.generation === thread.generation;
    return {
      lastUpdate: isThere ? kept.lastUpdate : 0,
      load: async ({ updates, isFresh, last }) => {
        const task = { kind: 'load' as const, call, fresh: isFresh, stored: updates };
        const answer = await this.#ask(org, thread, task, loadMs);
        if (answer.kind !== 'loaded') throw cannotBeOpened();
        const before = isFresh ? 0 : (this.#loadedBytes.get(call) ?? 0);
        this.#loadedBytes.delete(call);
        this.#loadedBytes.set(call, before + updates.reduce((sum, { length }) => sum + length, 0));
        forgetOldest(this.#loadedBytes);
        this.#remember(call, { thread, generation: thread.generation, lastUpdate: last });
      },
      ask: async (task, kind) => {
        const isFirst = !isSlow && isChange(task);
        const answer = await this.#ask(org, thread, task, isFirst ? this.#firstMs : changeMs);
        if (answer.kind === 'refused') throw refusalOf(answer.refusal);
        if (!isOf(answer, kind)) throw new Error(`the notes' thread answered ${answer.kind}`);
        return answer;
      },
    };
  }

  async #ask(org: OrgId, thread: Thread, task: NotesTask, limitMs: number): Promise<NotesAnswer> {
    try {
      const answer = await thread.run(task, limitMs);
      if (answer.kind === 'absent') throw new DocumentAbsent();
      return answer;
    } catch (error) {
      this.delete(task.call);
      if (!(error instanceof WorkerEnded)) throw error;
      // A broken thread also counts as an overrun, because the next task has to start a thread and
      // load.
      for (const queue of [this.#queue, this.#turns]) queue.overran(org);
      if (limitMs === this.#firstMs && error.tookTooLong) throw new NeedsLonger();
      throw isChange(task) ? takesTooLong() : cannotBeOpened();
    }
  }

  #remember(call: CallId, kept: Kept): void {
    this.#kept.delete(call);
    this.#kept.set(call, kept);
    forgetOldest(this.#kept);
  }
}

const bytesOfText: Statement = {
  name: 'bytes_of_notes',
  text: 'select octet_length(notes_snapshot) as bytes from calls where org_id = $1 and id = $2',
};

/** Returns the bytes of a text that another process stored, or this one long ago. */
async function storedBytes(tenant: Tenant, call: CallId): Promise<number> {
  const [row] = await tenant.connection(({ run }) =>
    run<{ bytes: number | null }>(bytesOfText, [tenant.orgId, call]),
  );
  return row?.bytes ?? 0;
}

/** The change has had the time of a first attempt. */
class NeedsLonger extends Error {}

const isChange = ({ kind }: NotesTask): boolean => kind === 'merge' || kind === 'replace';

/** The thread needed its memory for other calls. */
class DocumentAbsent extends Error {}

/** More than both threads together can keep. */
const mostRemembered = 1000;

function forgetOldest(calls: Map<CallId, unknown>): void {
  const [oldest] = calls.keys();
  if (calls.size > mostRemembered && oldest) calls.delete(oldest);
}

const isOf = <Kind extends NotesAnswer['kind']>(
  answer: NotesAnswer,
  kind: Kind,
): answer is Answered<Kind> => answer.kind === kind;
