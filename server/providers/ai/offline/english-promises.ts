import { isVerb, pronouns, things } from './english-words.ts';
import type { Found, Reading } from './task-lines.ts';

/** Returns what is promised, owed, requested, or awaited in an English line. */
export function englishPromise(reading: Reading): Found | null {
  return (
    owed(reading) ??
    reported(reading) ??
    requested(reading) ??
    given(reading) ??
    promised(reading) ??
    awaited(reading)
  );
}

const said =
  /\b(?:said|told (?:him|her|them|\p{Lu}\p{L}+)|agreed|promised(?: (?:him|her|them))?)(?: that)? (I|i|we)((?:'d|’d|'ll|’ll| will| would)?) (?:\p{L}+ly )?(\p{L}+)/u;

/** "told her I'd send the deck", "agreed that I send daily updates". */
function reported({ task, owner }: Reading): Found | null {
  const match = said.exec(task);
  const [, , will, verb = ''] = match ?? [];
  // "He said I will send it" only quotes.
  if (!match || /\b(?:he|she|they|\p{Lu}\p{Ll}+) $/u.test(task.slice(0, match.index))) return null;
  if (verb === 'be' || !(isVerb(verb.toLowerCase()) || will)) return null;
  return {
    what: task,
    owner: owner ?? (/^i$/i.test(match[1] ?? '') ? 'me' : 'us'),
    kind: 'promise',
  };
}

/** "they still owe us the form". */
function owed({ task, owner }: Reading): Found | null {
  const match =
    /^(they|he|she|customer|client|\p{Lu}\p{Ll}+)(?: still)? owes? (?:us|me)\b(?! nothing)/u.exec(
      task,
    );
  if (!match?.[1]) return null;
  return {
    what: task,
    owner: owner ?? pronouns[match[1].toLowerCase()] ?? match[1],
    kind: 'promise',
  };
}

const waiting = /^(?:still )?(?:waiting (?:for|on)|awaiting)\b.*?(?: from (\p{Lu}\p{L}+))?\s*$/iu;

function awaited({ task, owner }: Reading): Found | null {
  const match = waiting.exec(task);
  if (!match) return null;
  const from = match[1] && !/^(?:Them|The)$/i.test(match[1]) ? match[1] : 'customer';
  return { what: task, owner: owner ?? from, kind: 'promise' };
}

const promise: [RegExp, string][] = [
  [/\b(?:gets?|receives?|will (?:get|have|receive)|hears?) .*\bfrom me\b/iu, 'me'],
  [/\b(?:gets?|receives?|will (?:get|have|receive)|hears?) .*\bfrom us\b/iu, 'us'],
  [/\b(?:we|i)(?: still)? owe (?:them|him|her|you|\p{Lu}\p{L}+)\b/iu, 'us'],
  [
    /^(?:we |i )?(?:have )?(?:promised|committed to|agreed to (?:send|give|share|provide|have)|owe|offered to)\b/i,
    'us',
  ],
  [/\bpromised (?:for|by|until|them|him|her)\b/i, 'us'],
  [
    /\b(?:you|they|he|she)(?:'ll|’ll| will) (?:have|get|receive) (?:it|this|that|them|the|an?|our)\b/i,
    'us',
  ],
];

/** "asked Omar to check the logs": it is Omar's task. */
function requested({ task, owner }: Reading): Found | null {
  const match =
    /^(?:(?:I |we )?(?:asked|told) (?=\p{Lu}\p{Ll}+ to )|(?:pls |plz |please )?have )(\p{Lu}\p{Ll}+) (?:to )?(\p{L}+)/u.exec(
      task,
    );
  if (!match?.[1] || /^(?:be|have|say|wait|stop)$/.test(match[2] ?? '')) return null;
  return { what: task, owner: owner ?? match[1], kind: 'subject' };
}

/** "Ewan gets the docs from Tomasz". */
function given({ task, owner }: Reading): Found | null {
  const from =
    /\b(?:gets?|receives?|will (?:get|have|receive)) .*\bfrom (\p{Lu}\p{Ll}+)(?! \p{Lu})(?:[.,\s]|$)/u.exec(
      task,
    )?.[1];
  if (!from || things.test(from)) return null;
  return { what: task, owner: owner ?? from, kind: 'promise' };
}

function promised({ body, task, due, owner, isMarked }: Reading): Found | null {
  if (
    /\bnever (?:happened|came|arrived)\b|\b(?:was|were|had been|been|sales|they) promised\b|\bpromised .*\b(?:last|ago)\b/i.test(
      body,
    )
  )
    return null;
  for (const [pattern, by] of promise) {
    const match = pattern.exec(task);
    if (!match || (due === null && !/\bowe\b/.test(match[0]) && !isMarked)) continue;
    const isMine = /^i\b/i.test(match[0]) || /^(?:have )?(?:promised|committed)\b/i.test(task);
    return { what: task, owner: owner ?? (isMine ? 'me' : by), kind: 'promise' };
  }
  return null;
}
