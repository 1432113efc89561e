import type { OrgId } from '#domain/ids.ts';
import { type Mark, marksOf } from '#domain/search/words.ts';
import { SharedThread } from '#server/platform/shared-thread.ts';
import { WorkerEnded } from '#server/platform/timed-worker.ts';
import { longestExcerpt } from './excerpt.ts';

export interface MarksTask {
  texts: readonly string[];
  terms: readonly string[];
}

/** A character takes a thousandth of a millisecond: shorter texts are marked at once, on the server's thread. */
const mostAtOnce = 4_000;

/** Of this process. Organizations take turns. */
const thread = new SharedThread<MarksTask, Mark[][]>({
  program: new URL('./marks-worker.ts', import.meta.url),
  idleMs: 60_000,
  // A page of 200 hits with 5,000 characters each was measured at 1.2 s.
  limitMs: 5_000,
  resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8 },
});

/**
 * Returns for each text where it has one of the terms, as far as an excerpt shows it.
 * @throws DomainError 429 when too many searches of the organization are waiting
 */
export async function marksOfAll(
  org: OrgId,
  texts: readonly string[],
  terms: readonly string[],
): Promise<Mark[][]> {
  const characters = texts.reduce((sum, { length }) => sum + length, 0);
  if (characters <= mostAtOnce) return texts.map((text) => marksOf(text, terms, longestExcerpt));
  return thread.run(org, { texts, terms }).catch((error) => {
    // Excerpts without marks are better than no answer.
    if (error instanceof WorkerEnded) return texts.map(() => []);
    throw error;
  });
}
