import type { Due } from './due.ts';
import { isNameLike, isPerson, type Naming, ownerIn, ownerOf } from './people.ts';

/** An owner who stands apart from the task's words. */
export interface Slot {
  owner: string;
  /** The line without its owner. */
  rest: string;
  /** The name stands after the task: "the deck -> Raj". */
  isLast: boolean;
  /** Only the capital letter makes it a name. */
  isGuess: boolean;
}

/** "Rosa: …", "Rosa – …", "Rosa (ops): …", "Rosa -> …", "[Rosa] …", "@Rosa …". */
const first = [
  /^\[(\p{L}[^\]]{0,30})\]\s*(.{3,})$/u,
  /^\((\p{L}[^)]{0,20})\)\s*(.{3,})$/u,
  /^(@[\p{L}._-]+(?:\s?[+&]\s?@?[\p{L}._-]+)?)[\s,:–-]+(.+)$/u,
  /^([^:]{1,40}?(?:\s?\([^)]{1,30}\))?)\s?[:=]\s+(.+)$/u,
  /^([^–—-]{1,40}?)\s+(?:[-–—]+|->|=>|→)\s+(\D.+)$/u,
  /^([^–—>-]{1,40}?)\s*(?:->|=>|→)\s*(\D.+)$/u,
  /^([^/|]{1,40}?)\s+[/|]\s+(.+)$/u,
];

/** Returns the owner before the task's words. */
export function ownerBefore(line: string, naming: Naming): Slot | null {
  for (const pattern of first) {
    const [, part = '', rest = ''] = pattern.exec(line) ?? [];
    if (part === '') continue;
    const isMentioned = part.startsWith('@') || line.startsWith('[');
    if (/^@[\p{L}._-]+$/u.test(part)) {
      return { owner: ownerOf(part.slice(1)), rest, isLast: false, isGuess: false };
    }
    const owner = ownerIn(part, isMentioned ? { ...naming, isLoose: true } : naming);
    const guess = owner ?? ownerIn(part, { ...naming, isLoose: true }) ?? lowerName(part, naming);
    if (guess) return { owner: guess, rest, isLast: false, isGuess: owner === null };
  }
  return null;
}

const separator =
  /\s*[,;()|]\s*|\s+[-–—/]+\s+|\s*(?:->|=>|→|>>)(?!\s?\d)\s*|(?<!\b(?:Mr|Mrs|Ms|Dr|Prof|Fr|Hr|Hrn|Mag))[.:=]\s+|\s+(?=@\p{L})/gu;
/** In notes that have no capital letters, a single word before a colon may be a name. */
const lowerName = (part: string, { isLower }: Naming) =>
  isLower && /^\p{Ll}{3,10}$/u.test(part) && isNameLike(part) ? part : null;

const arrow = /(?:->|=>|→|>>)(?!\s?\d)/u;
/** "Owner: Rosa", "assigned to Rosa", "macht Petra". */
const statement =
  /^(?:owner|assignee|assigned to|resp(?:onsible)?|dri|zuständig|verantwortlich|wer|macht|übernimmt|erledigt|from|von|durch|by)\b[:.=\s]*/iu;
const self =
  /^(?:(?:mach|mache|übernehme|erledige) (ich)|(?:I|me) do (?:it|that)|I['’]?ll do (?:it|that))\b/iu;
/** "after the audit": when, and not who. */
const condition = /^(?:after|before|once|when|until|nach|vor|sobald|wenn|bis)\s/iu;
const dateWords =
  /^(?:(?:by|due|until|till|til|before|after|on|at|latest|deadline|this|next|the|end|of|eod|eow|eom|cob|close|business|nite|night|morning|midday|lunch|lunchtime|latest|sharp|done|asap|today|tomorrow|tmrw|tonight|week|month|quarter|noon|first|thing|bis|spätestens|am|zum|vor|nach|ende|anfang|mitte|heute|morgen|noch|abend|nachmittag|mittag|früh|der|dem|den|diese[rn]?|nächste[rn]?|woche|monats?|quartals?|uhr|kw|priority|prio|starting|from|ab|urgent|dringend|q[1-4]|·+|[\d.,:/·]+(?:st|nd|rd|th|am|pm|h)?|(?:mon|tues?|weds?|thu(?:rs?)?|fri|sat|sun)|\p{L}+day|\p{L}+tag|mittwoch|(?:mo|di|mi|do|fr|sa|so)|(?:jan|feb)(?:uary|uar)?|mar(?:ch)?|märz?|apr(?:il)?|ma[iy]|june?|july?|juni|juli|aug(?:ust)?|sept?(?:ember)?|o[ck]t(?:ober)?|nov(?:ember)?|de[cz](?:ember)?)[\s.,]*)+$/iu;

/** Returns the owner after the task's words: "slides, Noor, by the 18th", "Agenda (me)", "Export @Ian". */
export function ownerAfter(line: string, due: Due | null, naming: Naming): Slot | null {
  const cuts = [...line.matchAll(separator)];
  for (let at = cuts.length - 1; at >= 0; at -= 1) {
    const cut = cuts[at];
    const start = (cut?.index ?? 0) + (cut?.[0].length ?? 0);
    const end = cuts[at + 1]?.index ?? line.length;
    const part = line.slice(start, end).trim();
    if (part === '' || (cut?.index ?? 0) < 3) continue;
    const before = line.slice(0, cut?.index ?? 0);
    const after = line.slice(end);
    const words = withoutDate(part, due);
    if (words === '' || condition.test(part)) continue;
    if (isListed(line, cuts, at, naming) && !arrow.test(line.slice(0, start))) break;
    if (isRole(line, cuts[at - 1], cut, naming)) continue;
    const owner = self.test(words)
      ? 'me'
      : ownerIn(words.replace(statement, ''), looser(naming, cut?.[0] ?? '', part));
    if (owner && isAlone(before)) {
      return {
        owner,
        rest: `${before} ${restOf(part, words)} ${after}`.trim(),
        isLast: true,
        isGuess: false,
      };
    }
    // What follows other words is part of the task, except after an arrow.
    if (!arrow.test(line.slice(0, start))) break;
  }
  return stated(line, due, naming);
}

/** "Draft by Vera, due Monday", "Export übernimmt Rosa", "Audit. Owner: Rosa. Due: Friday". */
function stated(line: string, due: Due | null, naming: Naming): Slot | null {
  const match = statedWithin.exec(line);
  if (!match?.[1] || match.index < 3) return null;
  if (/^\s(?:by|von)\b/i.test(match[0]) && due === null && !naming.isLoose) return null;
  const owner = ownerIn(match[1], { ...naming, isLoose: true });
  const rest = line.replace(match[0], '');
  const after = line.slice(match.index + match[0].length);
  const isOver = withoutDate(after.replace(/^[\s.,;:)]+(?:due:?\s*)?/i, '').trim(), due) === '';
  return owner && isOver ? { owner, rest, isLast: true, isGuess: false } : null;
}
const statedWithin =
  /\s(?:owner|owned by|assigned to|resp(?:onsible)?|zuständig|verantwortlich|übernimmt|macht|erledigt|by|von)[:=\s]+(\p{Lu}[\p{L}’'-]+|me|ich|mir)(?![\p{L}])/iu;

/** "(Leeds, York, Hull)", "kev, mo, dana": one of several. */
function isListed(
  line: string,
  cuts: readonly RegExpExecArray[],
  at: number,
  naming: Naming,
): boolean {
  const cut = cuts[at];
  const last = cuts[at - 1];
  if (!cut?.[0].includes(',') || !last) return false;
  const before = line.slice(last.index + last[0].length, cut.index).trim();
  if (ownerIn(before, naming) !== null && last[0].includes('(')) return false;
  return /^\p{L}+$/u.test(before) && !dateWords.test(before);
}

/** "Lotte (product)": what stands in brackets says who Lotte is. */
function isRole(
  line: string,
  last: RegExpExecArray | undefined,
  cut: RegExpExecArray | undefined,
  naming: Naming,
) {
  if (!cut?.[0].includes('(')) return false;
  const from = last === undefined ? 0 : last.index + last[0].length;
  return ownerIn(line.slice(from, cut.index), { ...naming, isLoose: last !== undefined }) !== null;
}

/** A name at the end needs no other mark in brackets, after a mark or a statement, or alone in its place. */
const looser = (naming: Naming, cut: string, part: string): Naming =>
  statement.test(part) || /[(>→:=@–—-]/.test(cut) || /^\p{Lu}\p{Ll}+$/u.test(part)
    ? { ...naming, isLoose: true }
    : naming;

/** The task before the owner is more than a name: "Theo, Annika" is a list of people. */
const isAlone = (before: string) => !isPerson(before.split(/[,(]/)[0]?.trim() ?? '', bare);
const bare: Naming = { people: new Set(), isGerman: true, isLoose: false };

/** "Kwame by Thu" without its date. */
function withoutDate(part: string, due: Due | null): string {
  if (dateWords.test(part)) return '';
  const bare = due === null ? part : part.replace(due.words, '·');
  const [, words = bare] =
    /^(.*?)[\s,]+(?:by|due|until|till|til|before|on|bis|spätestens|am|zum|vor|today|tomorrow|tmrw|asap|eod|eow|heute|morgen|·|(?:mon|tues?|wednes|thurs|fri)day|(?:mon|tue|wed|thu|fri)\b|\d).*$/iu.exec(
      bare,
    ) ?? [];
  const kept = words
    .replace(/^(?:by|bis|due|·)\s+/i, '')
    .replace(/·/g, '')
    .trim();
  return dateWords.test(kept) ? '' : kept;
}

const restOf = (part: string, words: string) => part.replace(words, '').trim();
