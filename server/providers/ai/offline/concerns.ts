import type { ConcernName } from './concern-advice.ts';
import { concernPatterns } from './concern-patterns.ts';
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
/** Questions, plans, and offers of others that only contain the words. */
const harmless =
  /\b(?:their (?:own )?(?:clients?|customers?|hotline|users' customers)|(?:deren|ihren|ihrer|ihre) (?:kunden|hotline|endkunden)|(?:complaints?|beschwerden?)(?: \p{L}+){0,9} (?:fell|dropped|down|fewer|less|gesunken|weniger)|(?:nothing|not) to do with us|not about us|hat nichts mit uns|no (?:churn|risk)|not a single|kein(?:e|en)? einzige[nrs]?|nie wieder zurück|wouldn't go back|won't go back|had feared|hatte angst|no (?:issues?|problems?|concerns?|complaints?|blockers?|worries)|what if|in case|how (?:do|can|would) (?:we|i|they|you) cancel|cancel the (?:meeting|call|invite|trial|add-on|order)|free trial|cancel (?:the|an?) \w*(?:meeting|call|invite|session|trial|booking|order)|any (?:issues?|concerns?|problems?)|keine? (?:probleme?|sorgen?|beschwerden?|bedenken|blocker)|termin (?:absagen|kündigen))\b/iu;

/** Returns the latest line for each kind of concern, most serious first. "No plans to cancel" is not one. */
export function concernLines(
  utterances: readonly Utterance[],
  language: ReadableLanguage,
): RaisedConcern[] {
  return concernPatterns[language].flatMap(([name, pattern]) => {
    const said = utterances.findLast(({ body }) => raises(pattern, body));
    return said ? [{ name, said }] : [];
  });
}

const longest = 600;

function raises(pattern: RegExp, body: string): boolean {
  const text = body.slice(0, longest).replace(/[’ʼ]/g, "'");
  const match = pattern.exec(text);
  if (!match || (over.test(text) && !notOver.test(text)) || harmless.test(text)) return false;
  return startsWithDenial.test(match[0]) || !denied.test(text.slice(0, match.index));
}
