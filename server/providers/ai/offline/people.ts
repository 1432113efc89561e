import { baseOf, isVerb, things } from './english-words.ts';
import { things as germanThings, thirdPerson } from './german-words.ts';
import { isLowerName, notPeople, roles, selves } from './people-words.ts';
import type { Utterance } from './utterances.ts';

/** Names in lower case, as the notes introduce them. */
export type People = ReadonlySet<string>;

const title = String.raw`(?:Mr|Mrs|Ms|Dr|Prof|Frau|Herrn?)\.?|(?:Fr|Hrn?|Mag)\.`;
const name = String.raw`\p{Lu}[\p{L}’'-]+`;
const joined = String.raw`\s*(?:,|\+|&|\/|\band\b|\bund\b)\s*`;
const several = String.raw`(${name}(?: \(\p{L}[^)]{0,30}\))?(?:${joined}${name})*)`;

/** Where notes name people. The first group is one name, or several. */
const introductions: readonly RegExp[] = [
  new RegExp(String.raw`(?<!\p{L})(?:${title})\s(?:(?:${title})\s)*([\p{L}’'-]+)`, 'giu'),
  new RegExp(
    String.raw`(?<!\p{L})(?:w\/|[Ww]ith|[Mm]it|[Aa]sked|[Tt]old|[Tt]hanked|[Cc]alled|[Ff]rom|[Vv]on|[Bb]y|[Tt]o|[Aa]n)\s?${several}`,
    'gu',
  ),
  /(?:^|[\s,(;–-])(?:with|w\/|mit|attend\p{L}*|present|attending|participants|anwesend|teilnehmer|dabei|tn|roll call|who|wer|(?:our|their|unsere|deren) (?:side|seite))\s*:\s*([^:]+)/giu,
  /(?<![\p{L}.])@(\p{L}[\p{L}-]+)/gu,
  new RegExp(String.raw`^(${name})(?: \([^)]{1,30}\))?\s?:\s["“„«'‘]`, 'gu'),
  new RegExp(
    String.raw`["”“»’']\s?(?:[-–—(]|,? said |,? says |,? sagt )\s?(${name})\)?[.\s]*$`,
    'gu',
  ),
  new RegExp(String.raw`(?<!\p{L})(${name}) \((?:${roles})[^)]{0,20}\)`, 'gu'),
  /(?<!\p{L})(\p{L}[\p{L}’-]+) (?:says|said|asked|asks|wants|wanted|thinks|thought|likes|liked|loves|laughed|thanked|mentioned|told|showed|shows|explained|expects|wonders|opened|sounds|sounded|joined|relieved|hopes|agreed|reported|complained|nodded|sighed|smiled|left|still)\b/gu,
  new RegExp(
    String.raw`(?<!\p{L})(${name}) (?:sagt|sagte|fragt|fragte|will|wollte|möchte|meint|meinte|lobt|lobte|fand|findet|erklärt|erklärte|erwartet|hofft|lacht|lachte|klingt|klang|bleibt|nutzt|hat|hatte|musste|betreut|freut|bedankt|schätzt|zeigt|zeigte)\b`,
    'gu',
  ),
  new RegExp(String.raw`(?<!\p{L})(${name})[’']s(?!\p{L})`, 'gu'),
  new RegExp(String.raw`(?<!\p{L})(?:for|für) (${name})(?=\s*(?:[,.;(]|$))`, 'gu'),
  new RegExp(
    String.raw`(?<!\p{L})(${name}) (?:gebeten|gefragt|beauftragt|informiert)(?!\p{L})`,
    'gu',
  ),
  /(?<!\p{L})(?:legal|finance|product|engineering|support|marketing|sales|ops|it|hr|buchhaltung|vertrieb|produkt|technik|einkauf|entwicklung) \((\p{L}+)\)/giu,
];

/** A word in lower case that does or is to do something, at the beginning of a line. */
const acting =
  /^(?:(?:[-=]+>|→)\s*)?(\p{Ll}[\p{L}-]{1,11}) (?:(?:to|soll|muss|wird|will|bitte|pls) )?(\p{Ll}+)(?= \S)/u;

/** The last name of a heading: "Lumière Optics (in English, Solène)". */
const atEnd = new RegExp(String.raw`[,(]\s?(${name})\)?$`, 'u');

/** "sync w/ orla, kilbride dairy" */
const atStart = /(?:^|\s)(?:w\/|with|mit)\s?(\p{Ll}+)(?![\p{L}\s]|\s(?!\())/u;

const mostLines = 400;
const longest = 300;

/** Returns the people whom the notes name: who attended, who was quoted, who has a title or a role. */
export function peopleIn(utterances: readonly Utterance[]): People {
  const found = new Set<string>();
  const isLower = isInLowerCase(utterances);
  const host = atEnd.exec(utterances[0]?.body.slice(0, longest) ?? '')?.[1];
  if (host && isNameLike(host)) found.add(host.toLowerCase());
  const guest = (isLower && atStart.exec(utterances[0]?.body.slice(0, longest) ?? '')?.[1]) || '';
  if (isNameLike(guest)) found.add(guest.toLowerCase());
  for (const { body } of utterances.slice(-mostLines)) {
    const text = body.slice(0, longest);
    const [, actor = '', verb = ''] = (isLower && acting.exec(text)) || [];
    if (isActing(actor, verb, text)) found.add(actor);
    for (const introduction of introductions) {
      for (const match of text.matchAll(introduction)) {
        for (const part of (match[1] ?? '').split(
          /\s*\([^)]*\)\s*|\s*[,+&/]\s*|\s+(?:and|und)\s+/u,
        ))
          if (isNameLike(part)) found.add(part.toLowerCase());
      }
    }
  }
  return found;
}

/** Whether most lines begin in lower case, so that names do, too. */
export function isInLowerCase(utterances: readonly Utterance[]): boolean {
  const starts = utterances.slice(-mostLines).flatMap(({ body }) => /\p{L}/u.exec(body)?.[0] ?? []);
  return starts.filter((letter) => letter === letter.toLowerCase()).length > starts.length / 2;
}

const isActing = (actor: string, verb: string, line: string) =>
  !/^(?:\S+ ){1,3}\S*:/.test(line) &&
  isNameLike(actor) &&
  !isThing(actor) &&
  (thirdPerson.has(verb) ||
    (/s$/.test(verb) && isVerb(baseOf(verb))) ||
    (/^\S+ to /.test(line) && isVerb(verb)) ||
    /^\S+ soll /.test(line));
const isThing = (word: string) =>
  things.test(word) || germanThings.test(word) || isVerb(word) || unnamed.test(word);
const unnamed =
  /^(?:need|needs|want|wants|how|able|ready|going|happy|due|here|back|have|has|used|like|likes|love|loves|not|try|tried|easy|hard|nice|good|great|glad|time|plan|plans|still|just|only|again|which|hoping|trying|job|jobs|app|apps|server|system|mail|mails|test|tests|file|link|button|wallboard|module|modul|team|teams|staff|crew|driver|drivers|fahrer|board|chef|boss|rest|update|woche|system|drucker|kasse|termin|was|das|dort|hier|jetzt|dann|sonst|damit|dafür|wir|man|gut|alles|nur|kein|keine|ware|rechnung)$/u;

export const isNameLike = (word: string) =>
  /^\p{L}[\p{L}’'-]{1,20}$/u.test(word) && !notPeople.test(word) && !(word.toLowerCase() in selves);

/** What a name is recognized by. */
export interface Naming {
  people: People;
  isGerman: boolean;
  /** Most lines begin in lower case. */
  isLower?: boolean;
  /** A capitalized word suffices, as in a list of tasks. */
  isLoose: boolean;
}

const titled = new RegExp(
  String.raw`^(?:(?:${title})\s)+(?:${name}(?: ${name})?|[\p{Ll}’'-]+)$`,
  'u',
);
const lowerTitled = /^(?:mr|mrs|ms|dr|prof|fr|hr|frau|herr)\.? \p{L}+$/u;
/** Longer words with a capital letter are compound nouns. */
const longestGermanName = 10;
const nounEnding =
  /(?:ung|ungen|heit|keit|tion|tionen|schaft|ment|tät|ismus|plan|liste|bericht|test|tests|daten|preis|angebot)$/u;
const shape = new RegExp(String.raw`^${name}(?: ${name}| \p{Lu}\.?)?$`, 'u');

/** Returns whether the words are one person, or a group of people, and no others. */
export function isPerson(words: string, { people, isGerman, isLoose }: Naming): boolean {
  const lower = words.toLowerCase();
  if (lower in selves || titled.test(words) || lowerTitled.test(words) || isGroup(words))
    return true;
  const parts = lower.split(' ');
  if (parts.length > 2) return false;
  if (parts.every((part) => people.has(part) || (isLowerName(part) && part !== 'jan' && !isGerman)))
    return true;
  if (isGerman && words === 'Jan') return true;
  if (words.split(' ').some((word) => notPeople.test(word))) return false;
  if (!isGerman && people.has(parts[0] ?? '') && /^\p{Lu}/u.test(words.split(' ')[1] ?? ''))
    return true;
  if (/^\p{Lu}/u.test(words) && isLowerName(parts[0] ?? '')) return shape.test(words);
  if (!isLoose || !shape.test(words)) return false;
  if (/\p{Lu}{2}/u.test(words)) return false;
  return (
    !isGerman ||
    (parts.every((part) => part.length <= longestGermanName) && !nounEnding.test(lower))
  );
}

const department =
  /^(?:accounts|legal|recht|betriebsrat|finance|product|procurement|engineering|eng|support|marketing|sales|ops|operations|it|hr|billing|accounting|development|dev|design|security|rechtsabteilung|vertrieb|entwicklung|produkt|buchhaltung|einkauf|technik|personalabteilung|produktmanagement|datenschutz|geschäftsführung|kundendienst)$/iu;
const owned =
  /^(?:(?:our|their|the|my|his|her|customer['’]s|client['’]s|unsere?[rmn]?|deren|ihre?|die|der|das)\s(?:\p{L}+\s)?(?:team|it|dpo|cio|cpo|ae|accounts|finance|hr|devs?|office|hq|architect|consultant|trainer|controller|assistant|partner|lawyers|legal (?:dept|department|team)|board|people|dept|department|hausjurist\p{L}*|fachabteilung|assistenz|kollegen|leute|admin|lead|leadership|legal|finance|engineering|engineers?|support|sales|marketing|procurement|security|manager|cto|ceo|cfo|coo|vp|boss|chef|chefin|director|officer|counsel|lawyer|accountant|agency|hoster|vendor|reseller|\p{L}*beauftragte[rn]?|kanzlei|anwalt|steuerberater\p{L}*|agentur|dienstleister|developers?|designers?|buchhaltung|technik|rechtsabteilung|entwicklung|vertrieb|einkauf|datenschutz\p{L}*|abteilung|leitung|entwickler|product)|\p{L}{2,12}[\s-]team)$/iu;
const isGroup = (words: string) => (department.test(words) && words !== 'it') || owned.test(words);

/** Returns `me`, `us`, or `customer` for a pronoun or role; a name as it is written. */
export const ownerOf = (words: string): string =>
  selves[words.toLowerCase().trim()] ??
  sideOf(words.trim()) ??
  words.trim().replace(/^(?:the|die|der|das) /i, '');

/** "our accounts team" is us, "their IT" the customer. */
export function sideOf(words: string): 'us' | 'customer' | null {
  if (/^(?:our|my|unser\p{L}*|meine?) /iu.test(words)) return 'us';
  return /^(?:their|his|her|deren|ihre?|(?:customer|client)['’]s) /iu.test(words)
    ? 'customer'
    : null;
}

const filler = /^(?:for|für|by|von|durch|an|to)\s+|\s+(?:pls|plz|please|bitte)$|^@/giu;

/**
 * Returns the owner that a part of a line names, where it names nothing else: "Rosa", "Nils + me",
 * "Marketing (Pip)", "their IT".
 */
export function ownerIn(part: string, naming: Naming): string | null {
  const bracket = /^(.*?)\s*\(([^)]{1,30})\)$/u.exec(part.trim());
  const inside = bracket?.[2] ?? '';
  if (bracket?.[1]) {
    const isDepartment = isGroup(bracket[1]);
    const side = selves[inside.toLowerCase()];
    if (isDepartment && side !== undefined) return side;
    if (isDepartment && isPerson(inside, { ...naming, isLoose: true }) && !isGroup(inside))
      return ownerOf(inside);
    return ownerIn(bracket[1], naming);
  }
  const words = part
    .trim()
    .replace(filler, '')
    .replace(/@/g, '')
    .replace(/[.,;:!\s]+$/, '')
    .trim();
  if (words === '' || words.length > 40) return null;
  const parts = words.split(/\s*[+&/]\s*|\s+(?:and|und)\s+/u);
  if (parts.length > 3 || !parts.every((one) => isPerson(one, naming))) return null;
  const owners = [...new Set(parts.map(ownerOf))];
  return owners.length === 1 ? (owners[0] ?? null) : words;
}

/** Returns the name that a pronoun stands for: the nearest one before it, in its own line up to `until`. */
export function lastPerson(
  utterances: readonly Utterance[],
  at: number,
  people: People,
  until = 0,
): string | null {
  for (let before = until > 0 ? at : at - 1; before >= Math.max(0, at - mostBefore); before -= 1) {
    const body = utterances[before]?.body.slice(0, before === at ? until : longest) ?? '';
    const named = [...body.matchAll(withTitle)].at(-1)?.[0];
    if (named) return named;
    const words = body.match(/\p{L}[\p{L}’-]+/gu) ?? [];
    const known = words.findLast(
      (word) =>
        (people.has(word.toLowerCase()) && /^\p{Lu}/u.test(word)) ||
        (/^\p{Lu}/u.test(word) && isLowerName(word.toLowerCase())),
    );
    if (known) return known;
  }
  return null;
}
const mostBefore = 12;
const withTitle = new RegExp(
  String.raw`(?<!\p{L})(?:${title})\s(?:(?:${title})\s)*\p{Lu}[\p{L}’'-]+`,
  'gu',
);
