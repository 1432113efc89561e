import { isPerson, type Naming, ownerIn, sideOf } from './people.ts';

const name = String.raw`\p{Lu}[\p{L}’'-]+(?: \p{Lu}[\p{L}’'-]+|(?: \p{Lu}\.))?`;
/** "our accounts team", "Legal", "Rosa", "me". */
const who = String.raw`((?:our|their|her|his|the|unser\p{L}*|ihre[rmn]?|deren|der|die|dem) (?:\p{L}+[ -]){0,2}?\p{L}+|${name}|me|us|mir|uns)`;

/** Who acts in a passive sentence: "will be shared by Imogen", "wird von Anke zugesandt". */
const passive = [
  new RegExp(
    String.raw`\b(?:be|is|are|being|been|gets?) (?:\p{L}+ly )?\p{L}{3,}(?: \p{L}+){0,3}? by (?:the )?${who}(?= (?:by|on|until|before|at|in|to|for|this|next|tomorrow|today|within|as)\b|\s*(?:[,.;:(–-]|$))`,
    'u',
  ),
  new RegExp(
    String.raw`(?<!\p{L})(?:wird|werden|muss|müssen|soll|sollen) (?:[^.;]{0,60} )?(?:von|durch) ${who}(?= )[^.;]{0,60}?\p{Ll}+(?:en|t)(?= werden|\s*(?:[,.;:(–-]|$))`,
    'u',
  ),
];
/** "…, Stacy drives", "Zoe assigns", "Jonas kümmert sich". */
const taking = [
  new RegExp(
    String.raw`(?:[,;:(]|\s[-–—]|->|→|=>)\s*(${name}|I|we|they|he|she) (?:drives?|leads?|owns?|assigns?|handles?|coordinates?|organi[sz]es?|takes? (?:it|this|that|over|care)|does? (?:it|this|that)|is on it|has it|signs off|decides|looks? (?:into|after)|will (?:do|own|take|handle|drive|sort)|on it)\b`,
    'u',
  ),
  new RegExp(
    String.raw`(?:[,;:(]|\s[-–—]|->|→|=>)\s*(${name}|ich|wir|sie|er) (?:kümmer[et]n?|übern[ei]h?mm?[et]n?|macht?e?n? (?:das|es)|leitet|koordiniert|organisiert|verteilt|treibt|erledigt|klärt|schaut|hat den hut)(?!\p{L})`,
    'u',
  ),
];
/** "… Owner: Rosa. Due: Friday" */
const labeled = new RegExp(
  String.raw`(?:^|[.,;–-]\s*)(?:[Oo]wner|[Aa]ssignee|[Aa]ssigned to|[Rr]esponsible|[Zz]uständig|[Vv]erantwortlich|[Ww]er)\s*[:=]\s*${who}`,
  'u',
);
/** "- I draft, Tamsin signs off", "Entwurf ich, Freigabe Lindner". */
const self = /(?:\s[-–—]|:)\s*(I|ich)\s\p{Ll}|\p{L}\s(ich|wir)(?=\s*(?:[,;)]|$))/u;
/** "Deletion: Yusuf, done by Monday", "Rollout – Sol, nightly". */
const afterColon = new RegExp(
  String.raw`:\s(${name})(?=\s*(?:[,(–-]|$|(?:by|bis|until|till|due)\b))`,
  'u',
);
/** "Vendor form: they'll come back to us". */
const promising = /(?:^|[:,;–-]\s+)(they|he|she|we|i)(?:['’](?:ll|re|m|s)| will| are| am| is)\b/iu;

const longest = 300;

/** Returns who is to do a task, where its sentence says so in other words than "Rosa: …" or "Rosa sends …". */
export function statedOwner(sentence: string, naming: Naming): string | null {
  const text = sentence.slice(0, longest);
  const loose = { ...naming, isLoose: true };
  for (const pattern of [...passive, ...taking]) {
    const words = pattern.exec(text)?.[1] ?? '';
    const owner = sideOf(words) ?? ownerIn(words, loose);
    if (owner) return owner;
  }
  const byLabel = ownerIn(labeled.exec(text)?.[1] ?? '', loose);
  if (byLabel) return byLabel;
  const [, first, last] = self.exec(text) ?? [];
  if (first ?? last) return ownerIn(first ?? last ?? '', loose);
  const named = afterColon.exec(text)?.[1];
  if (named && isPerson(named, naming.isGerman ? naming : loose)) return ownerIn(named, loose);
  const pronoun = naming.isGerman ? null : promising.exec(text)?.[1];
  return pronoun ? ownerIn(pronoun, naming) : null;
}

/** "Ms. Sheetal", "Owen B.": the name as the sentence has it. */
export function asWritten(owner: string, sentence: string): string {
  if (!/^\p{Lu}[\p{L}’'-]+(?: \p{Lu})?$/u.test(owner)) return owner;
  const at = sentence.slice(0, longest).indexOf(owner);
  if (at < 0) return owner;
  const title = /(?:(?:Mr|Mrs|Ms|Dr|Prof|Frau|Herrn?)\.?|(?:Fr|Hrn?)\.)\s(?:Dr\.\s)?$/u.exec(
    sentence.slice(Math.max(0, at - 12), at),
  )?.[0];
  const initial = / \p{Lu}$/u.test(owner) && sentence[at + owner.length] === '.' ? '.' : '';
  return `${title ?? ''}${owner}${initial}`;
}
