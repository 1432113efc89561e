import { createHash } from 'node:crypto';
import type { CallId, OrgId } from '#domain/ids.ts';
import type { Analyzed } from './ask-model.ts';

const mostKept = 500;

/** The newest answer to each question about a call, for all who ask about the same content on this process. */
export class SharedAnswers<T> {
  readonly #kept = new Map<string, { hash: string; answer: Promise<Analyzed<T>> }>();

  /** Asks once for all who want to know the same. A failure is not kept. */
  of(
    org: OrgId,
    call: CallId,
    content: unknown,
    ask: () => Promise<Analyzed<T>>,
  ): Promise<Analyzed<T>> {
    const key = `${org} ${call}`;
    const hash = createHash('sha256').update(JSON.stringify(content)).digest('base64');
    const known = this.#kept.get(key);
    if (known?.hash === hash) return known.answer;
    const kept = { hash, answer: ask() };
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= mostKept) break;
      this.#kept.delete(oldest);
    }
    kept.answer.catch(() => {
      if (this.#kept.get(key) === kept) this.#kept.delete(key);
    });
    return kept.answer;
  }
}
