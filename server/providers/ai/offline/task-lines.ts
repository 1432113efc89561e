import type { Due } from './due.ts';
import type { Utterance } from './utterances.ts';

export type TaskKind = 'marked' | 'owner' | 'subject' | 'verb' | 'promise' | 'thing' | 'section';

/** What a line was found to state. */
export interface Found {
  what: string;
  owner: string | null;
  kind: TaskKind;
}

/** A typed line, taken apart. */
export interface Reading {
  /** The whole line, without its bullet. */
  body: string;
  /** The words of the task: without marks, names, and dates around it. */
  task: string;
  owner: string | null;
  due: Due | null;
  /** "TODO", "[ ]", "=>", "bitte". */
  isMarked: boolean;
  isListItem: boolean;
  isInSection: boolean;
  /** The name stands after the task: "the deck -> Raj". */
  isOwnerLast: boolean;
  /** The name before speech, as in a transcript; null in notes. */
  speaker: string | null;
}

const mark =
  /^(?:(?:actions?(?: items?| points?)?|ai|ap|to-?dos?|tasks?|next steps?|next|nxt|follow[- ]?up|f\/u|aufgaben?|nächster schritt|nächste schritte|hausaufgaben?|homework|my homework|maßnahme|wir|deliverable)\s*(?:[:>–—]|-(?=\s))|(?:=>|->|→|>>|!+|☐|□)\s*|(?:todo|to-do)\b\s*)\s*/iu;
const selves: Record<string, string> = {
  me: 'me',
  i: 'me',
  myself: 'me',
  ich: 'me',
  mir: 'me',
  csm: 'me',
  us: 'us',
  we: 'us',
  wir: 'us',
  uns: 'us',
  'our side': 'us',
  ours: 'us',
  customer: 'customer',
  client: 'customer',
  cust: 'customer',
  'the customer': 'customer',
  them: 'customer',
  they: 'customer',
  kunde: 'customer',
  kundin: 'customer',
  'der kunde': 'customer',
  'die kundin': 'customer',
  kd: 'customer',
};
/** Returns `me`, `us`, or `customer` for a pronoun or role; a name as it is written. */
export const ownerOf = (words: string): string =>
  selves[words.toLowerCase().trim()] ?? words.trim();

/** Common first names, so that a name in lower case is told from a word. */
const lowerNames =
  'adam|alex|amy|andrea|andy|anna|anne|ben|bob|carla|carlos|chris|claire|dan|dana|daniel|dave|david|diana|ed|elena|emily|emma|eric|eva|felix|finn|frank|fred|greg|hans|helen|henry|ian|jack|james|jan|jane|jean|jen|jenny|jim|joe|john|jonas|josh|judy|julia|karl|kate|kevin|kim|lars|laura|lea|lena|leo|linda|lisa|liz|lucas|luis|lukas|maria|marco|mike|max|mia|miguel|nadia|nick|nina|nora|olga|oliver|omar|paul|paula|pete|peter|petra|pia|priya|raj|ralf|rita|rob|rosa|ruth|sam|sandra|sara|sarah|simon|sofia|steve|sue|susan|sven|tanja|theo|thomas|tim|tina|tobias|tom|uwe|vera|will|yusuf|zoe';
export const isLowerName = (word: string) => new RegExp(`^(?:${lowerNames})$`).test(word);

const name = String.raw`(?:[Mm]e|[Ii]ch) ?[+&] ?\p{Lu}\p{Ll}+|@?[\p{Lu}][\p{L}'’-]*(?: (?!(?:To|Will|Bis|Bitte)\b)[\p{Lu}][\p{L}'’.-]*|\s?(?:[+&/]|and|und)\s?[\p{Lu}][\p{L}'’-]+| team)?|(?:Mr|Mrs|Ms|Dr|Frau|Herr)\.? [\p{Lu}][\p{L}-]+|@[\p{L}._-]+|(?:me|i|us|we|myself|ich|wir|uns|customer|client|cust|they|them|kunde|kundin|csm|our side|legal|sales|product|support|finance|marketing|eng|ops|procurement|${lowerNames})(?=\s*[:])|(?:me|us|ich|wir|kunde|customer)(?=\s+[-–—])`;
const atPrefix = /^(@[\p{L}._-]+)[\s,:–-]+(?:bitte |pls |please |plz )?(.+)$/iu;
const prefix = new RegExp(`^(${name})(?: ?\\([^)]{1,20}\\))?\\s*(?::|[-–—](?=\\s))\\s*(.+)$`, 'u');
const homeworkOf =
  /^(?:(my|our|meine?|unsere?)\s+)?(?:homework|to-?dos?|actions?|tasks?|hausaufgaben?|aufgaben?)(?:\s+(?:for|of|für|von)?\s*(?:the |den |die )?(?!items?\b|points?\b)([\p{L}]+))?\s*:\s*(.+)$/iu;
/** "the deck -> Raj", "slides: Noor, by the 18th", "Agenda (me)". */
const trailing = [
  /^(.{3,}?)\s*(?:->|=>|→|>>)\s*(@?\p{Lu}[\p{L}'’-]+|me|us|ich|wir|customer|kunde)(?=\s*(?:$|[,;:(–-]))(.*)$/u,
  /^(.{3,}?)\s*\(\s*@?(\p{Lu}[\p{L}'’-]+|me|us|ich|wir|customer|kunde)\s*\)\s*()$/u,
  /^(.{3,}?)\s*\(\s*(me|us|ich|wir)\s*,(.*)$/u,
  /^(.{3,}?)\s+[-–—/|]\s+@?(\p{Lu}[\p{L}'’-]+|me|us|ich|wir|customer|kunde)(?=\s*(?:$|[,;–—/|-]))(.*)$/u,
  /^([^,]{3,}?),\s*@?(\p{Lu}[\p{L}'’-]+|me|ich)\s*()$/u,
  /^(.{3,}?)\s+@(\p{L}[\p{L}._-]+)(.*)$/u,
  /^(.{3,}?)[,.]\s+(?:(?:mach|mache|übernehme) (ich)|(I|me) do it)()\s*$/u,
];
/** "Owner: Rosa", "assigned to Greta", "(Ian, by 3/13)", "macht Petra". */
const statedOwner =
  /(?:\b(?:[Oo]wner|[Aa]ssignee|[Rr]esponsible|[Rr]esp|DRI|[Zz]uständig|[Vv]erantwortlich|(?<=.)[Ww]er)\s*[:=.]\s*@?|\b(?:assigned to|übernimmt|macht)\s+@?)(\p{Lu}\p{Ll}+|me|ich)\b[.,;]?|\(\s*@?(?=[^)]*(?:\d|\b(?:by|until|bis|today|tomorrow|tmrw|heute|morgen|EOD|EOW|(?:[Mm]on|[Tt]ue|[Ww]ed|[Tt]hu|[Ff]ri)[a-z]*|Mo|Di|Mi|Do|Fr|[A-Z]\p{Ll}+tag)\b)[^)]*\)\s*$)(\p{Lu}\p{Ll}+|me|ich)(?=[\s,/])/u;
const severalNames = /^\p{Lu}\p{Ll}+\s?[+&/]\s?\p{Lu}/u;
const trailingName =
  /^([^:]{3,60}?)\s*:\s*@?(\p{Lu}[\p{L}'’-]+|me|us|ich|wir|customer|kunde)(?=\s*(?:$|,|\(|by\b|until\b|till\b|due\b|bis\b))(.*)$/u;
/** Labels before a colon that are not people. */
const labels =
  /^(?:assistant|system|user|bot|(?:mon|tue|wed|thu|fri)s?|weds|thurs|today|search|suche|offboarding|onboarding|migration|present|with|who|wer|dabei|anwesend|mit|where|timeline|zeitplan|main users|hauptnutzer|uses|missing|fehlt|history|historie|ideas|pain|contract|start|go-live|launch|timeline|present|parking|re|fyi|ps|nb|q|a|f|qs|goals?|ziele?|status|usage|nutzung|seats?|plätze|lizenzen|budget|renewal|verlängerung|reason|grund|gründe|price|preise?|tone|stimmung|upsell|topics?|themen?|agenda|notes?|notizen|team|done|open|weds|offen|erledigt|blocked|blockers?|today|heute|yesterday|gestern|risks?|risiken|risiko|context|decisions?|entscheidung|attendees|teilnehmer|trainings?|workshops?|hosting|summary|fazit|cover|backup|vertretung|contact|kontakt|champion|sponsor|admin|buyer|owner|feature(?: request)?|wunsch|fragen?|questions?|issues?|problems?|probleme?|feedback|update|kickoff|call|termin|meeting|next call|nächster termin|deadline|frist|due|but|aber|pros?|cons?|good|bad|gut|schlecht|mood|health|nps|csat|ticket|tickets|quote|zitat|transcript|background|hintergrund|today|next|plan|idea|idee|cool idea|result|ergebnis|compliance|steering committee|lenkungskreis|contract|vertrag|account|industry|size|mrr|arr|date|datum|kunde sagt|customer says|said|note|success|wins?|highlights?)$/iu;

/** Takes a line apart. */
export function readLine(
  body: string,
  { isListItem, line }: Utterance,
  due: Due | null,
  isInSection: boolean,
): Reading {
  let rest = body;
  const kind = { isListItem, isInSection, due };
  let isOwnerLast = false;
  let owner: string | null = null;
  let isMarked = /^(?:[-*•–]\s*)?\[ ?\]/.test(line);
  const homework = homeworkOf.exec(rest);
  if (homework?.[3] && (homework[1] || homework[2])) {
    owner = homework[1] ? (/^m/i.test(homework[1]) ? 'me' : 'us') : ownerOf(homework[2] ?? '');
    rest = homework[3];
    isMarked = true;
  }
  const marked = mark.exec(rest);
  if (marked && !/^wir/i.test(marked[0]) && rest.length > marked[0].length + 3) {
    rest = rest.slice(marked[0].length);
    isMarked = true;
  }
  const bracketed = /^\[(\p{Lu}\p{L}+|me|ich)\]\s*(.{3,})$/u.exec(rest);
  const stated = statedOwner.exec(rest);
  const named = stated?.[1] ?? stated?.[2];
  if (bracketed?.[1] && bracketed[2]) {
    owner = ownerOf(bracketed[1]);
    rest = bracketed[2];
    isMarked = true;
  } else if (stated && named && !notNames.test(named)) {
    owner = ownerOf(named);
    rest = rest.replace(stated[0], '');
    isMarked = true;
  }
  const mentioned = owner === null ? atPrefix.exec(rest) : null;
  if (mentioned?.[1] && mentioned[2]) {
    owner = ownerOf(mentioned[1].slice(1));
    rest = mentioned[2];
    isMarked = true;
  } else if (owner === null) {
    const swapped = trailingName.exec(rest);
    if (
      swapped?.[1] &&
      swapped[2] &&
      !(swapped[1].toLowerCase() in selves) &&
      !severalNames.test(swapped[1]) &&
      !labels.test(swapped[1]) &&
      !notNames.test(swapped[2])
    ) {
      owner = ownerOf(swapped[2]);
      rest = `${swapped[1]}${swapped[3] ?? ''}`;
      isOwnerLast = true;
    }
  }
  if (owner === null) {
    const before = prefix.exec(rest);
    if (before?.[1] && before[2] && !labels.test(before[1])) {
      if (isSpeech(before[2])) {
        return {
          ...kind,
          body,
          task: before[2],
          owner: null,
          isMarked,
          isOwnerLast,
          speaker: ownerOf(before[1]),
        };
      }
      owner = ownerOf(before[1].replace(/^@/, ''));
      rest = before[2];
    } else if (
      before?.[1] &&
      before[2] &&
      /^(?:today|heute|but|aber|next|plan|open|offen|(?:mon|tue|wed|thu|fri)s?|weds|thurs)$/i.test(
        before[1],
      )
    ) {
      rest = before[2];
    }
  }
  if (owner === null) {
    for (const pattern of trailing) {
      const match = pattern.exec(rest);
      if (!match?.[1] || !match[2] || notNames.test(match[2])) continue;
      owner = ownerOf(match[2]);
      isOwnerLast = true;
      rest = `${match[1]}${match[3] ?? ''}`;
      break;
    }
  }
  return { ...kind, body, task: rest.trim(), owner, isMarked, isOwnerLast, speaker: null };
}

const notNames =
  /^(?:mon|tue|wed|thu|fri|sat|sun|monday|tuesday|wednesday|thursday|friday|saturday|sunday|mo|di|mi|do|fr|sa|so|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|today|tomorrow|heute|morgen|jan\w*|feb\w*|mar\w*|apr\w*|may|jun\w*|jul\w*|aug\w*|sep\w*|oct\w*|nov\w*|dec\w*|mär\w*|mai|okt\w*|dez\w*|eod|eow|asap|q[1-4]|ok|tbd|done|none|yes|no|ja|nein|keine|confirmed|pending|urgent|high|low|p[0-3]|cfo|ceo|cto|coo|vp|hr|it|procurement|einkauf|legal|frankfurt|berlin|vienna|wien|london|api|sso|crm|eu|us)$/iu;

const isSpeech = (text: string) =>
  /^(?:i|i'm|i’m|i'll|i’ll|we|we're|we’re|you|it|it's|it’s|that|that's|this|there|he|she|they|the \w+ (?:is|are|was|has|keeps)|and|but|so|ok|okay|yes|no|yeah|sure|great|thanks|thank|hi|hello|well|can|could|would|do|does|did|is|are|what|when|how|why|who|where|let|let's|honestly|right|perfect|good|sounds|ja|nein|klar|gut|danke|hallo|ich|wir|sie|es|das|die \w+ (?:ist|sind|fehlt|hat)|und|aber|also|können|könnten|kann|was|wann|wie|warum|wer|genau|super)\b(?!\s*[:+&/])/iu.test(
    text,
  ) || /\?\s*$/.test(text);
