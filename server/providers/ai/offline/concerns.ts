import type { ConcernName } from './concern-advice.ts';
import { concernPatterns, weakKinds, weakMatch } from './concern-patterns.ts';
import { isPraise, signsIn } from './concern-signs.ts';
import type { Utterance } from './utterances.ts';
import type { ReadableLanguage } from './which-language.ts';

export interface RaisedConcern {
  name: ConcernName;
  said: Utterance;
}

const denied =
  /\b(?:no|not|never|without|isn't|aren't|wasn't|won't|don't|doesn't|didn't|hasn't|haven't|nothing|zero|kein|keine|keinen|keinerlei|nicht|ohne|nie|weder|null)\b[^.;,!?]{0,28}$/iu;
const startsWithDenial =
  /^(?:no|not|n't|never|can ?no?'?t|won't|don't|didn't|doesn't|do(?:es)?n|hasn't|haven't|nobody|still no|stopped|kein|nicht|niemand)/iu;
/** What is over: fixed, closed, or of another time. */
const over =
  /\b(?:(?:is |was |all |now |got |been |since )?(?:fixed|resolved|solved|sorted)|works? (?:again|now|fine|well)|working (?:again|now)|back up|(?:are|is|they're|they are) over it|closed|no longer an issue|back then|used to (?:be|have)|was broken|were broken|(?:wurde|ist|sind|alles)? ?(?:gelöst|behoben|abgehakt)|(?:geht|gehen|läuft|laufen|funktioniert)(?: \p{L}+){0,3} wieder|(?:beschwerde|problem|fehler|thema|ticket|störung)\p{L}*[^.;]{0,40} erledigt|funktioniert jetzt|läuft jetzt|damals)\b/iu;
const notOver =
  /\b(?:stopped|(?:be|get|gets|to) (?:fixed|resolved|solved|sorted)|wasn't|weren't|(?:told|said|claims?|claimed) (?:\p{L}+ ){1,3}(?:is|was|were) (?:fixed|solved|resolved)|only \d+|supposedly|angeblich|hieß es|war es nicht|nur \d+|\d+ (?:solved|fixed|closed|gelöst|behoben)|when|still|but|again broken|not (?:yet )?(?:fixed|resolved|solved)|isn't fixed|unless|if|trotzdem|aber|noch nicht|nicht (?:behoben|gelöst)|immer noch|wenn)\b/iu;
/** Features, documents, and figures that are named after trouble. */
const named =
  /\b(?:(?:complaints?|escalations?|damage claims?|issues?|errors?|problems?|incidents?|breach|risks?|cancel(?:lation)?(?! (?:terms|notice|statement))|fail-?over|rollback|defects?|support)[ -](?:modules?|matrix|registers?|counts?|templates?|logs?|pages?|codes?|forms?|buttons?|columns?|budgets?|criteria|process|numbers|terms|tests?|workshop|notice|tracker|statement|plan)|(?:problem|fehler|stör|störungs|beschwerde|eskalations|kündigungs|schadens?|risiko|ausfall|storno)\p{L}*(?:modul|matrix|register|vorlage|protokoll\p{L}*|katalog|codes?|seite|formular|prozess|meldungen|quote|budget|tickets?|fristen|plan|blatt|eingang|statistik|maske|auswertung)|status ["“„]\p{L}+["”“])(?!\p{L})|fürs protokoll|for the (?:file|record)|(?:terms|frist\p{L}*): .*(?:same|wie)|standard procedure|in comparison to nobody|joke only|laughed|(?:complain\p{L}*|beschwerden?|klagen|tickets?)\b.*(?:down|fell|dropped|fewer|less|almost nothing|to \d|fast null|weniger|gesunken|zurückgegangen|-> ?\d)|(?:stopped|no longer|quit) complain\p{L}*|nicht mehr (?:drüber|darüber)|schimpfen nicht|is history|ist geschichte|ancient history|nothing open|\bgone, |sorted|settled|ist weg,|zero \p{L}+|no (?:blockers|findings|dramas|open)|keine (?:offenen?|klagen|rückfragen|anmerkungen|fragen)|nothing to (?:moan|complain)|nix zu meckern/iu;
/** "from 30 to 70 %" */
const change = /(?:from|von|\s)(\d+(?:[.,]\d+)?) ?%? ?(?:to|auf|->|→) ?(\d+(?:[.,]\d+)?)/iu;
function isGrowth(body: string): boolean {
  const [, from = '', to = ''] = change.exec(body) ?? [];
  return (
    from !== '' &&
    Number.parseFloat(to.replace(',', '.')) > Number.parseFloat(from.replace(',', '.'))
  );
}

/** Questions, plans, and offers of others that only contain the words. */
const harmless =
  /\b(?:their (?:own )?(?:clients?|customers?|hotline|users' customers)|(?:deren|ihren|ihrer|ihre) (?:kunden|hotline|endkunden)|(?:complaints?|beschwerden?)(?: \p{L}+){0,9} (?:fell|dropped|down|fewer|less|gesunken|weniger)|(?:nothing|not) to do with us|not about us|hat nichts mit uns|no (?:churn|risk)|not a single|kein(?:e|en)? einzige[nrs]?|nie wieder zurück|wouldn't go back|never go back|(?:vendor|provider|supplier|hersteller|anbieter)['’]s (?:\p{L}+)|(?:experience|erfahrung) (?:with|mit) (?:an?other|einem anderen|anderen)|(?:old|previous|former|last) (?:vendor|tool|system|provider|software|supplier)(?!.{0,20}back)|(?:altes|alten|altem|alte|früheres|vorige\p{L}*) (?:system|tool|anbieter|software|werkzeug|programm)(?!.{0,20}zurück)|(?:complain\p{L}*|moan\p{L}*|grumbl\p{L}*) only|only (?:complain\p{L}*|moan\p{L}*|gripe|grumble|complaint)|einzige[rns]? (?:haken|kritik|beschwerde|wunsch|kritikpunkt)|(?:in|of) their (?:comments|survey|employees)|(?:past|over|through) the(?:ir)? (?:teething|initial|worst)|überstanden|won't go back|had feared|hatte angst|no (?:issues?|problems?|concerns?|complaints?|blockers?|worries)|what if|how (?:do|can|would) (?:we|i|they|you) cancel|cancel the (?:meeting|call|invite|trial|add-on|order)|free trial|cancel (?:the|an?) \w*(?:meeting|call|invite|session|trial|booking|order)|any (?:issues?|concerns?|problems?)|keine? (?:probleme?|sorgen?|beschwerden?|bedenken|blocker)|termin (?:absagen|kündigen))\b/iu;

/** The whole line says that a matter is done with. */
const closed =
  /\b(?:better than (?:\p{L}+(?:['’]d)? )?(?:expected|feared|hoped)|besser (?:\p{L}+ )?als (?:erwartet|befürchtet|gedacht)|(?:isn't|not|no longer) (?:even )?a topic|kein thema mehr|(?:matter|case|topic|issue|ticket) (?:is )?closed|done with it|considers? (?:it|that|the matter) (?:closed|done|settled)|(?:is|was|it's|that's) (?:confirmed )?(?:fixed|resolved|solved)|since the (?:fix|update|patch|change|release|switch)\b[^.]*\b(?:no|not a single|zero|never|nothing)|seit (?:dem|der) (?:fix|update|korrektur|patch|umstellung|änderung)[^.]*\b(?:kein\p{L}*|nichts|nie)|no (?:more|further) (?:\p{L}+ )?(?:lockouts?|outages?|errors?|issues?|problems?|crashes)|thema (?:ist |damit )?(?:durch|erledigt|abgehakt|vom tisch)|(?:damit|ist) (?:erledigt|vom tisch|abgehakt)|problem (?:ist )?(?:gelöst|behoben)|ist (?:gelöst|behoben)|alles (?:gelöst|behoben|geklärt|wieder gut)|for (?:her|him|them) (?:it|the matter) is over)\b/iu;
/** What would be, and is not. */
const supposed =
  /\b(?:if (?:\p{L}+ ){1,5}(?:were|was to|had to|would)|(?:would|could|might) (?:be|become|have been|only be|mean|need|lose)|would(?:'ve| have) (?:taken|cost|been|lost)|wouldn't have|were to|in the event|had feared|hatten? befürchtet|befürchtet hatte|hypothetical\p{L}*|worst case|jok(?:ed|ing|ingly)|in case|(?:the|a|their|one) (?:worry|fear|concern|risk) (?:would|was|had been|is that)|wäre[nt]?|würde[nt]?|falls|für den fall|im fall|theoretisch|scherzhaft|im scherz|im spaß)\b/iu;
const impatient =
  /\b(?:again|finally|already|still|third|twice|wieder|endlich|schon|immer noch|erneut|zum dritten|nicht mehr)\b/iu;
/** Questions, asked and reported. */
const asked =
  /^(?:q|f|frage|question)\s?:|\b(?:ask(?:s|ed)? (?:me |us )?(?:if|whether|what happens|how)|fragt(?:e|en)? (?:nach|ob|wie)|frage,? (?:ob|wie|was)|was passiert|what happens|(?:standard|usual|typical|übliche|typische) (?:questions|fragen)|is there (?:a|any) risk|besteht(?: \p{L}+)? (?:ein|das) risiko)\b|^[^"“„«]*\?\s*(?:\([^)]*\))?\s*$/iu;
/** "we were worried, and it turned out to be a non-event" */
const deniedAfter =
  /^[^.;!?]{0,24}\b(?:nicht (?:groß|weiter|wirklich|besonders|mehr)|kaum|kein (?:thema|problem)|not (?:really|an issue|a problem|a big deal))\b|^.{0,80}\b(?:unbegründet|umsonst|turned out|non-event|for no reason|unfounded|no longer|ancient history|schnee von gestern|(?:und |but |, |; )(?:now|today|since then|jetzt|inzwischen|mittlerweile|seitdem))\b/iu;
/** The customer speaks. */
const firstPerson = /\b(?:i|we|us|our|my|me|ich|wir|uns|unser\p{L}*|mir|mein\p{L}*)\b/iu;

const concernNames: readonly ConcernName[] = [
  'leaving',
  'broken',
  'unhappy',
  'price',
  'competitor',
  'confusion',
  'hesitation',
];

/** Fixed, of another time, or only a word of something else: "complaints module". */
const isSettled = (sentence: string) =>
  (over.test(sentence) && !notOver.test(sentence)) ||
  harmless.test(sentence) ||
  named.test(sentence) ||
  isGrowth(sentence);

export interface Unease {
  /** The latest line for each kind of concern, most serious first. */
  concerns: RaisedConcern[];
  /** How much speaks for an unhappy customer, with or without a concern; see `enough`. */
  score: number;
  /** With or without a concern, praise does not make the conversation positive. */
  isUnsettled: boolean;
}

const longest = 600;
/** Signs that say little alone are counted in this many of the last lines. */
const mostLines = 400;
const strong = 3;
const weak = 1.5;
const mostSignsOfSentence = 2;
/** What it takes in a short note; each twenty lines more need one more. */
const enough = 3;
const linesPerPoint = 20;
/** So much, short of a concern, leaves the mood open. */
const unsettling = 1;
/** Many kinds of trouble need less of each. */
const manyKinds = 3;
const enoughOfMany = 2.5;

/** Returns what speaks for an unhappy customer by rules. "No plans to cancel" does not. */
export function ruledUnease(utterances: readonly Utterance[], language: ReadableLanguage): Unease {
  const found = new Map<ConcernName, { said: Utterance; isStrong: boolean }>();
  const kinds = new Set<number | ConcernName>();
  const counted = new Set<string>();
  let score = 0;
  let worst: { said: Utterance; weight: number } | null = null;
  for (const [at, said] of utterances.entries()) {
    const isCounted = at >= utterances.length - mostLines && !said.isTicked;
    let weight = 0;
    for (const sentence of sentencesOf(said.body)) {
      const raised = concernsIn(sentence, language, said.speaker !== null);
      for (const { name, isStrong } of raised) {
        if (isStrong || !found.get(name)?.isStrong) found.set(name, { said, isStrong });
        kinds.add(name);
      }
      if (!isCounted || counted.has(sentence.text)) continue;
      counted.add(sentence.text);
      const signs = sentence.isOpen ? signsIn(sentence.text, language) : [];
      for (const kind of signs) kinds.add(kind);
      if (raised.length + signs.length === 0 && isPraise(sentence.text)) score -= 1;
      const heaviest = Math.max(0, ...raised.map(({ isStrong }) => (isStrong ? strong : weak)));
      // One of the signs is in the words of the concern.
      const more = raised.length > 0 ? signs.length - 1 : signs.length;
      weight += heaviest + Math.max(0, Math.min(mostSignsOfSentence, more));
    }
    score += weight;
    if (weight > (worst?.weight ?? 0)) worst = { said, weight };
  }
  const needed =
    (kinds.size >= manyKinds ? enoughOfMany : enough) +
    Math.floor(Math.min(utterances.length, mostLines) / linesPerPoint);
  const isUneasy = score >= needed && kinds.size > 1;
  const concerns = concernNames.flatMap((name): RaisedConcern[] => {
    const one = found.get(name);
    return one && (one.isStrong || isUneasy) ? [{ name, said: one.said }] : [];
  });
  const isUnsettled = score >= unsettling;
  if (concerns.length > 0 || !isUneasy || !worst) return { concerns, score, isUnsettled };
  return { concerns: [{ name: 'unhappy', said: worst.said }], score, isUnsettled };
}

export interface Sentence {
  text: string;
  /** Neither settled, nor supposed, nor asked. */
  isOpen: boolean;
  /** Of what is supposed or asked, only plans to leave count. */
  isSupposed: 'supposed' | 'asked' | null;
}

const sentenceEnd = /(?<=[\p{L}\d)"”“]{2}[.!?])\s+|;\s+/u;

export function sentencesOf(body: string): Sentence[] {
  const line = body.slice(0, longest).replace(/[’ʼ]/g, "'");
  const sentences = line.split(sentenceEnd);
  const isClosed = sentences.some((text) => closed.test(text) && !notOver.test(text));
  return sentences.map((text) => {
    const settled = isSettled(text);
    const isSupposed =
      supposed.test(text) && !impatient.test(text) ? 'supposed' : asked.test(text) ? 'asked' : null;
    return {
      text,
      isOpen: !settled && !isSupposed && !isClosed,
      isSupposed: settled ? null : isSupposed,
    };
  });
}

function concernsIn(
  { text, isOpen, isSupposed }: Sentence,
  language: ReadableLanguage,
  isSpoken: boolean,
): { name: ConcernName; isStrong: boolean }[] {
  if (!isOpen && isSupposed === null) return [];
  const isFirstPerson = isSpoken && firstPerson.test(text);
  return concernPatterns[language].flatMap(([name, pattern]) => {
    const isAskedForHelp = isSupposed === 'asked' && name === 'confusion' && isFirstPerson;
    if (isSupposed && name !== 'leaving' && !isAskedForHelp) return [];
    const match = matchesOf(pattern, text, weakMatch[language]);
    if (match === null) return [];
    const isWeak = weakKinds.has(name) || match === 'weak' || isSupposed === 'supposed';
    return [{ name, isStrong: !isWeak || isFirstPerson }];
  });
}

const mostMatches = 4;

/** Returns whether the pattern matches undenied, and if only words do that say little alone. */
function matchesOf(pattern: RegExp, text: string, isWeak: RegExp): 'strong' | 'weak' | null {
  let from = 0;
  let found: 'weak' | null = null;
  for (let count = 0; count < mostMatches; count += 1) {
    const match = pattern.exec(text.slice(from));
    if (!match) return found;
    const at = from + match.index;
    const end = at + match[0].length;
    const isDenied = !startsWithDenial.test(match[0]) && denied.test(text.slice(0, at));
    if (!isDenied && !deniedAfter.test(text.slice(end))) {
      if (!isWeak.test(match[0])) return 'strong';
      found = 'weak';
    }
    from = end;
  }
  return found;
}
