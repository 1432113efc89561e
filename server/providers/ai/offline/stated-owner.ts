import { isPerson, type Naming, ownerIn } from './people.ts';

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
    String.raw`(?<!\p{L})(?:wird|werden|muss|müssen|soll|sollen) (?:[^.;]{0,60} )?(?:von|durch) ${who}(?= )[^.;]{0,60}(?:\p{L}*ge\p{L}{2,}|\p{L}+(?:iert|tet|ert|ellt|llt|ndt|andt))(?:\s*(?:[,.;:(–-]|$)| werden)`,
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
/** "Deletion: Yusuf, done by Monday", "Rollout – Sol, nightly". */
const afterColon = new RegExp(String.raw`:\s(${name})(?=\s*(?:[,(–-]|$))`, 'u');
/** "Vendor form: they'll come back to us". */
const promising = /(?:^|[:,;–-]\s+)(they|he|she|we|i)(?:['’](?:ll|re|m|s)| will| are| am| is)\b/iu;

const longest = 300;

/** Returns who is to do a task, where its sentence says so in other words than "Rosa: …" or "Rosa sends …". */
export function statedOwner(sentence: string, naming: Naming): string | null {
  const text = sentence.slice(0, longest);
  const loose = { ...naming, isLoose: true };
  for (const pattern of [...passive, ...taking]) {
    const owner = ownerIn(pattern.exec(text)?.[1] ?? '', loose);
    if (owner) return owner;
  }
  const named = afterColon.exec(text)?.[1];
  if (named && isPerson(named, naming.isGerman ? naming : loose)) return ownerIn(named, loose);
  const pronoun = naming.isGerman ? null : promising.exec(text)?.[1];
  return pronoun ? ownerIn(pronoun, naming) : null;
}
