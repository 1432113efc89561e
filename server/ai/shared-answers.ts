import { createHash } from 'node:crypto';
import type { CallId, OrgId } from '#domain/ids.ts';
import type { Analyzed } from './ask-model.ts';

interface Kept<T> {
  hash: string;
  at: number;
  answer: Promise<Analyzed<T>>;
}

const mostKept = 500;
/** Long enough for a pause in a call. What was deleted meanwhile is not kept for longer, either. */
const keptMs = 600_000;

/** The newest answer about each call, for all who ask about the same content on this process. */
export class SharedAnswers<T> {
  /** Oldest first. */
  readonly #kept = new Map<string, Kept<T>>();

  /** Asks once for all who want to know the same. A failure is not kept. */
  of(
    org: OrgId,
    call: CallId,
    content: unknown,
    ask: () => Promise<Analyzed<T>>,
  ): Promise<Analyzed<T>> {
    const now = Date.now();
    this.#forget(now - keptMs);
    const key = `${org} ${call}`;
    const hash = createHash('sha256').update(JSON.stringify(content)).digest('base64');
    const known = this.#kept.get(key);
    if (known?.hash === hash) return known.answer;
    const kept = { hash, at: now, answer: ask() };
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    kept.answer.catch(() => {
      if (this.#kept.get(key) === kept) this.#kept.delete(key);
    });
    return kept.answer;
  }

  #forget(until: number): void {
    for (const [key, { at }] of this.#kept) {
      if (at > until && this.#kept.size < mostKept) return;
      this.#kept.delete(key);
    }
  }
}
