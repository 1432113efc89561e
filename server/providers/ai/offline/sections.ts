import { type Naming, ownerIn } from './people.ts';
import type { Utterance } from './utterances.ts';

/** A part of notes under a heading that announces tasks. */
export interface Section {
  /** Whose tasks follow, where the heading says so: "Our to-dos", "Kunde:". */
  owner: string | null;
}

const announcing =
  'actions?(?: items?| points?)?|action list|next(?: steps?)?|to-?dos?|tasks?|follow[- ]?ups?|ais?|homework|agreed|commitments|deliverables|open (?:points|items|tasks|todos)|what (?:we|they|i) (?:do|owe)|who does what|aufgaben?|nächste schritte|nächster schritt|als nächstes|(?:das )?weitere[s]? vorgehen|to ?dos?|zu tun|zu erledigen|maßnahmen|massnahmen|vereinbart|vereinbarungen|vereinbarte schritte|verabredet|abgemacht|absprachen|offen(?:e (?:punkte|aufgaben|themen))?|hausaufgaben?|wer macht was|wie (?:geht es )?weiter|wie es weitergeht|was (?:wir|sie|die) (?:tun|machen|liefern)';
const heading = new RegExp(
  String.raw`^(?:#+\s*)?(?:\d[.)]?\s*)?(?:(our|my|the|their|agreed|open|unsere?|meine?|deren|ihre?|offene|\p{L}+['’]s)\s+)?(?:${announcing})(?:\s*(?:\(([^)]{1,30})\)|(?:for|of|on|für|von|bei|-|–)?\s*(\p{L}[\p{L} +&]{1,24}?)))?\s*[:.–-]*$`,
  'iu',
);
/** "Who / what / by when": the head of a table. */
const tableHead =
  /^(?:owner|who|name|wer|zuständig)\s*[/|,–-]\s*(?:what|actions?|tasks?|was|aufgabe|to-?do)\b/iu;
const done = /\b(?:none|keine|done|nothing|nichts|erledigt)\b/iu;
const possessive: Record<string, string> = {
  our: 'us',
  my: 'me',
  their: 'customer',
  unser: 'us',
  unsere: 'us',
  mein: 'me',
  meine: 'me',
  deren: 'customer',
  ihr: 'customer',
  ihre: 'customer',
};

/** Returns the section that a line opens; null where it opens another part; undefined where it is no heading. */
export function sectionOf({ body }: Utterance, naming: Naming): Section | null | undefined {
  if (body.length > 48) return undefined;
  if (tableHead.test(body)) return { owner: null };
  const match = heading.exec(body);
  if (match && done.test(body)) return null;
  // "TODO call Petra" is a task.
  const names = match?.[3];
  if (match && (!names || /:\s*$/.test(body) || ownerIn(names, naming) !== null))
    return { owner: headOwner(body, match, naming) };
  if (!/:\s*$/u.test(body)) return undefined;
  const owner = ownerIn(body.replace(/\s*:\s*$/u, ''), naming);
  return owner === null ? null : { owner };
}

function headOwner(
  body: string,
  [, before = '', inside = '', after = '']: RegExpExecArray,
  naming: Naming,
) {
  const who = /\bwhat (we|they|i) |\bwas (wir|sie|die) /iu.exec(body);
  if (who) return ownerIn((who[1] ?? who[2] ?? '').replace(/^(?:sie|die)$/i, 'they'), naming);
  const own = possessive[before.toLowerCase()] ?? null;
  const named = before === '' ? null : ownerIn(before.replace(/['’]s$/, ''), naming);
  const loose = { ...naming, isLoose: true };
  return own ?? named ?? ownerIn(inside, loose) ?? ownerIn(after, naming);
}
