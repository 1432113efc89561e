import { can, doing, idioms, passing, stillPromises } from './commitment-words.ts';
import { type CueLine, tokenAt } from './cue-line.ts';

const strictly = new Set(
  'meet plan discuss decide agree reschedule finalize finalise investigate resend loop ping double-check email e-mail'.split(
    ' ',
  ),
);

/**
 * Returns what the verb adds to a cue's weight; null where the words are an idiom, or not an
 * action.
 * @param isStrict the cue is a commitment only with certain verbs
 */
export function weighVerb(line: CueLine, offset: number, isStrict: boolean): number | null {
  const rest = line.text.slice(offset).trim();
  if (rest === '' || /^do (?:[,.!]|$)/.test(rest)) return null;
  if (stillPromises.test(rest)) return 0.05;
  if (idioms.test(rest)) return null;
  const words = rest.split(' ').filter((word) => /\w/.test(word));
  const verb = baseOf(words[0] ?? '');
  if (passing.has(verb) || verb === 'be' || verb === 'not') return null;
  const length = words.length > 1 ? 0 : -0.12;
  if (can.has(verb) || (isStrict && strictly.has(verb))) return length;
  if (doing.has(verb)) return isStrict ? length - 0.08 : length;
  if (isStrict) return null;
  return tokenAt(line, offset)?.pos === 'VERB' ? length - 0.15 : null;
}

/** "Would you mind sending it" asks to send. */
function baseOf(verb: string): string {
  if (!verb.endsWith('ing')) return verb;
  const stem = verb.slice(0, -3);
  return [stem, `${stem}e`, stem.slice(0, -1)].find((base) => can.has(base)) ?? verb;
}

const adjustments: readonly { by: number; pattern: RegExp; onlyWithoutDue?: boolean }[] = [
  {
    by: -0.25,
    pattern:
      /\b(?:right now|for now|in a (?:second|sec|minute|moment)|briefly|real quick|quickly)\b/,
    onlyWithoutDue: true,
  },
  { by: -0.2, pattern: /^(?:when|once|until)\b/, onlyWithoutDue: true },
  { by: -0.08, pattern: /\b(?:maybe|perhaps|might|possibly|at some point)\b/ },
  { by: -0.2, pattern: /\b(?:always|usually|often|normally|typically|generally|forever)\b/ },
  { by: 0.12, pattern: /\bfrom (?:me|us)\b/ },
];

/** Returns what the context adds: a condition, uncertainty, a habit, a "right now". */
export function weighSurroundings(text: string, before: string, hasDue: boolean): number {
  let sum = 0;
  for (const { by, pattern, onlyWithoutDue } of adjustments) {
    if (pattern.test(text) && !(onlyWithoutDue && hasDue)) sum += by;
  }
  if (/\bif\b/.test(before)) sum += before.includes(',') ? -0.08 : -0.25;
  if (/\b(?:because|that|which)$/.test(before)) sum -= 0.15;
  return sum;
}
