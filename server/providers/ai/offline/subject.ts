import { type Naming, ownerIn } from './people.ts';

/** The person at the beginning of a sentence. */
export interface Subject {
  owner: string;
  /** As it is written, in lower case. */
  words: string;
  /** The sentence after its subject. */
  predicate: string;
  isPlural: boolean;
  /** Known from the notes, a pronoun, or a group: not only a word with a capital letter. */
  isKnown: boolean;
}

const mostWords = 5;
const opening = /^(?:(?:so|then|and|also|but|dann|und|also|aber|außerdem|danach),?\s+)+/iu;

/** Returns the subject with which a sentence begins: "Rosa", "Dr. Weiss", "their IT", "Kai and I". */
export function subjectOf(sentence: string, naming: Naming): Subject | null {
  const text = sentence
    .replace(opening, '')
    .replace(/^(\p{L}+)[’'](ll|d|m|re|s(?= (?:going|\p{L}+ing)))\b/u, '$1 $2');
  const [, role = '', inside = '', rest = ''] = withName.exec(text) ?? [];
  const inBrackets = role === '' ? null : ownerIn(inside, { ...naming, isLoose: true });
  if (inBrackets !== null && /\s/.test(role)) {
    return {
      owner: inBrackets,
      words: inside.toLowerCase(),
      predicate: rest,
      isPlural: false,
      isKnown: true,
    };
  }
  const words = text.split(/\s+/, mostWords + 1);
  for (let count = Math.min(mostWords, words.length - 1); count > 0; count -= 1) {
    const head = words.slice(0, count).join(' ');
    // "Die Unterlagen", "sie Bescheid": an article.
    if (/^die$/iu.test(head) && /^\p{Lu}/u.test(words[count] ?? '')) continue;
    if (
      /^(?:von|an|by|for|to|from|bei|für|on|at|in) |[:;,]$|\s(?:pls|plz|please|bitte|to|for)$/i.test(
        head,
      )
    )
      continue;
    const isKnown = ownerIn(head, { ...naming, isLoose: false });
    const owner = isKnown ?? ownerIn(head, { ...naming, isLoose: true });
    if (owner === null || !isWhole(head)) continue;
    return {
      owner,
      words: head.toLowerCase(),
      predicate: text
        .slice(head.length)
        .replace(/^\s*\([^)]{1,30}\)/u, '')
        .trim(),
      isPlural: /^(?:i|we|they|me|ich|wir)$/i.test(head) || /[+&/]|\s(?:and|und)\s/u.test(head),
      isKnown: isKnown !== null,
    };
  }
  return null;
}
/** "Walt's daughter (Jess) will …" */
const withName = /^(\p{L}[\p{L}’' ]{2,30}?) \((\p{Lu}\p{Ll}+)\)\s+(\p{Ll}.+)$/u;

/** Not the beginning of a longer list of people, and no bracket cut in two. */
const isWhole = (head: string) =>
  (head.match(/\(/g)?.length ?? 0) === (head.match(/\)/g)?.length ?? 0);
