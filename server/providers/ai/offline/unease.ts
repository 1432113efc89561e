import { type RaisedConcern, ruledUnease, type Unease } from './concerns.ts';
import { troubled, troubleIn } from './trouble.ts';
import type { Utterance } from './utterances.ts';
import type { ReadableLanguage } from './which-language.ts';

/** Short of trouble, so much leaves the mood open. */
const unsettled = -2;

/**
 * Returns what speaks for an unhappy customer. In notes, their words decide if there is a concern, and the rules which
 * one; in longer texts, the rules decide both.
 */
export function uneaseIn(utterances: readonly Utterance[], language: ReadableLanguage): Unease {
  const ruled = ruledUnease(utterances, language);
  const trouble = troubleIn(utterances, language, ruled);
  if (trouble === null) return ruled;
  const isUnsettled = trouble.score > unsettled;
  if (trouble.score <= troubled) return { ...ruled, concerns: [], isUnsettled };
  if (ruled.concerns.length > 0) return { ...ruled, isUnsettled };
  return { ...ruled, concerns: [{ name: 'unhappy', said: trouble.worst }], isUnsettled };
}

/** Returns the latest line for each kind of concern, most serious first. */
export const concernLines = (
  utterances: readonly Utterance[],
  language: ReadableLanguage,
): RaisedConcern[] => uneaseIn(utterances, language).concerns;
