import { DomainError } from '#domain/errors.ts';
import type { OrgId } from '#domain/ids.ts';
import { AnalyzerError, type OpenThread } from '../port.ts';
import { outcome, type Task } from './tasks.ts';

/** The thread ends, and frees the model's memory, after this long without a task. */
const idleMs = 120_000;
/** Processor time. English notes of the greatest length were measured at 3.9 s, German ones at 1.6 s. */
const limitMs = 6000;
/** Characters that take a few hundredths of a second: an excerpt, or the notes of a usual call. */
const longestExcerpt = 10_000;
const resourceLimits = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 16 };

/**
 * The analyzer's worker threads, beside the server's own thread. Whole conversations take seconds and
 * have a thread of their own, so that they delay no excerpt. In both, organizations take turns.
 */
export class AnalyzerThread {
  readonly #excerpts: ReturnType<OpenThread>;
  readonly #conversations: ReturnType<OpenThread>;

  constructor(openThread: OpenThread, program = new URL('./worker.ts', import.meta.url)) {
    const options = { program, idleMs, limitMs, resourceLimits };
    this.#excerpts = openThread(options);
    this.#conversations = openThread(options);
  }

  /** @throws AnalyzerError, and DomainError 429 when too many tasks of the organization are waiting */
  async run(org: OrgId, task: Task): Promise<unknown> {
    const { result, error } = outcome.parse(await this.#ask(org, task));
    if (error !== undefined) throw failed(error);
    return result;
  }

  async #ask(org: OrgId, task: Task): Promise<unknown> {
    try {
      const isShort = task.conversation.text.length <= longestExcerpt;
      const thread = isShort ? this.#excerpts : this.#conversations;
      return await thread.run(org, task);
    } catch (error) {
      if (error instanceof DomainError) throw error;
      throw failed(String(error));
    }
  }
}

const failed = (reason: string) => new AnalyzerError(`The offline analyzer failed: ${reason}`);
