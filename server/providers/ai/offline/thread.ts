import { DomainError } from '#domain/errors.ts';
import type { OrgId } from '#domain/ids.ts';
import { AnalyzerError, type OpenThread } from '../port.ts';
import { outcome, type Task } from './tasks.ts';

/** The model's memory is given back when nobody asked for so long. */
const idleMs = 120_000;
/** Processor time. Ordinary talk of the greatest length was seen to need a fifth of it. */
const limitMs = 4000;
const resourceLimits = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 16 };

/** Where the analyzer works, beside the server's own thread. */
export class AnalyzerThread {
  readonly #thread: ReturnType<OpenThread>;

  constructor(openThread: OpenThread, program = new URL('./worker.ts', import.meta.url)) {
    this.#thread = openThread({ program, idleMs, limitMs, resourceLimits });
  }

  /** @throws AnalyzerError, and DomainError 429 when too many tasks of the organization are waiting */
  async run(org: OrgId, task: Task): Promise<unknown> {
    const { result, error } = outcome.parse(await this.#ask(org, task));
    if (error !== undefined) throw failed(error);
    return result;
  }

  async #ask(org: OrgId, task: Task): Promise<unknown> {
    try {
      return await this.#thread.run(org, task);
    } catch (error) {
      if (error instanceof DomainError) throw error;
      throw failed(String(error));
    }
  }
}

const failed = (reason: string) => new AnalyzerError(`The offline analyzer failed: ${reason}`);
