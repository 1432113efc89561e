import type { ConcernName } from './concern-advice.ts';
import { concernPatterns } from './concern-patterns.ts';
import { troubledLine } from './concern-signs.ts';
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
  /\b(?:(?:is |was |all |now |got |been |since )?(?:fixed|resolved|solved|sorted)|works? (?:again|now|fine|well)|working (?:again|now)|back up|(?:are|is|they're|they are) over it|closed|no longer an issue|back then|used to (?:be|have)|was broken|were broken|(?:wurde|ist|sind|alles)? ?(?:gelöst|behoben|abgehakt)|(?:geht|gehen|läuft|laufen|funktioniert)(?: \p{L}+){0,3} wieder|funktioniert jetzt|läuft jetzt|damals)\b/iu;
const notOver =
  /\b(?:stopped|(?:be|get|gets|to) (?:fixed|resolved|solved|sorted)|when|still|but|again broken|not (?:yet )?(?:fixed|resolved|solved)|isn't fixed|unless|if|trotzdem|aber|noch nicht|nicht (?:behoben|gelöst)|immer noch|wenn)\b/iu;
/** Features, documents, and figures that are named after trouble. */
const named =
  /\b(?:(?:complaints?|escalations?|damage claims?|issues?|errors?|problems?|incidents?|breach|risks?|cancel(?:lation)?|fail-?over|rollback|defects?|support)[ -](?:modules?|matrix|registers?|counts?|templates?|logs?|pages?|codes?|forms?|buttons?|columns?|budgets?|criteria|process|numbers|terms|tests?|workshop|notice|tracker|statement|plan)|(?:problem|fehler|stör|störungs|beschwerde|eskalations|kündigungs|schadens?|risiko|ausfall|storno)\p{L}*(?:modul|matrix|register|vorlage|protokoll\p{L}*|katalog|codes?|seite|formular|prozess|meldungen|quote|budget|tickets?|fristen|plan|blatt|eingang|statistik|maske|auswertung)|status ["“„]\p{L}+["”“])(?!\p{L})|fürs protokoll|for the (?:file|record)|(?:terms|frist\p{L}*): .*(?:same|wie)|standard procedure|in comparison to nobody|joke only|laughed|(?:complain\p{L}*|beschwerden?|klagen|tickets?)\b.*(?:down|fell|dropped|fewer|less|almost nothing|to \d|fast null|weniger|gesunken|zurückgegangen|-> ?\d)|(?:stopped|no longer|quit) complain\p{L}*|nicht mehr (?:drüber|darüber)|schimpfen nicht|is history|ist geschichte|ancient history|nothing open|\bgone, |sorted|settled|ist weg,|zero \p{L}+|no (?:blockers|findings|dramas|open)|keine (?:offenen?|klagen|rückfragen|anmerkungen|fragen)|nothing to (?:moan|complain)|nix zu meckern/iu;
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
  /\b(?:their (?:own )?(?:clients?|customers?|hotline|users' customers)|(?:deren|ihren|ihrer|ihre) (?:kunden|hotline|endkunden)|(?:complaints?|beschwerden?)(?: \p{L}+){0,9} (?:fell|dropped|down|fewer|less|gesunken|weniger)|(?:nothing|not) to do with us|not about us|hat nichts mit uns|no (?:churn|risk)|not a single|kein(?:e|en)? einzige[nrs]?|nie wieder zurück|wouldn't go back|won't go back|had feared|hatte angst|no (?:issues?|problems?|concerns?|complaints?|blockers?|worries)|what if|in case|how (?:do|can|would) (?:we|i|they|you) cancel|cancel the (?:meeting|call|invite|trial|add-on|order)|free trial|cancel (?:the|an?) \w*(?:meeting|call|invite|session|trial|booking|order)|any (?:issues?|concerns?|problems?)|keine? (?:probleme?|sorgen?|beschwerden?|bedenken|blocker)|termin (?:absagen|kündigen))\b/iu;

/** Fixed, of another time, or only a word of something else: "complaints module". */
export const isSettled = (body: string) =>
  (over.test(body) && !notOver.test(body)) ||
  harmless.test(body) ||
  named.test(body) ||
  isGrowth(body);

/** Returns the latest line for each kind of concern, most serious first. "No plans to cancel" is not one. */
export function concernLines(
  utterances: readonly Utterance[],
  language: ReadableLanguage,
): RaisedConcern[] {
  const plain = concernPatterns[language].flatMap(([name, pattern]): RaisedConcern[] => {
    const said = utterances.findLast(({ body }) => raises(pattern, body));
    return said ? [{ name, said }] : [];
  });
  if (plain.length > 0) return plain;
  const said = troubledLine(utterances, language, isSettled);
  return said ? [{ name: 'unhappy', said }] : [];
}

const longest = 600;

function raises(pattern: RegExp, body: string): boolean {
  const text = body.slice(0, longest).replace(/[’ʼ]/g, "'");
  const match = pattern.exec(text);
  if (!match || isSettled(text)) return false;
  return startsWithDenial.test(match[0]) || !denied.test(text.slice(0, match.index));
}
