import { readGermanValence } from './german-valence.ts';
import { readSentences } from './language.ts';
import type { Utterance } from './utterances.ts';
import { readValence, type Valence } from './valence.ts';
import type { ReadableLanguage } from './which-language.ts';

export interface LineMood extends Valence {
  said: Utterance;
}

/** The agent's own words, in notes and in transcripts: what they thank or apologize for says nothing of the customer. */
const ownWords =
  /^(?:(?:i|we|me|csm|agent|ich|wir|habe?|haben)\b.*\b(?:thank|apologi[sz]|appreciat|glad|happy to|sorry|promis|bedank|entschuldig|dank|gern)|(?:said|told|thanked|apologi[sz]ed)\b|(?:thanks|thank you|thx|danke|vielen dank|gern geschehen|sorry|best regards|viele grüße|nice chat|nettes gespräch)\b)|\b(?:nice|friendly|pleasant|lovely|good|polite) (?:chat|talk|call|conversation|people)\b|\bnette[sr]? (?:gespräch|leute)\b|\b(?:freundliches|angenehmes) gespräch\b|\bpolite\b|\bhöflich\b/iu;
const agents = /^(?:me|agent|csm|rep|host|ich|berater|support)$/i;
/** Praise of another product is no praise of ours. */
const others =
  /\b(?:zoom|teams|webex|gong|gainsight|totango|hubspot|zendesk|intercom|salesforce|competitors?|competition|their (?:old|other|previous|new) (?:tool|vendor|system)|other (?:vendor|tool|product)|another (?:vendor|tool|product)|konkurrenz|wettbewerb\p{L}*|anderen anbieter\p{L}*|ihr altes tool)\b/iu;
const over =
  /\b(?:fixed|resolved|solved|sorted|works? (?:again|now)|closed|no longer|back then|damals|gelöst|behoben|funktioniert jetzt|wieder|früher)\b/iu;

/** Returns the rated lines, with the mood that each gives of the customer. */
export function lineMoods(
  utterances: readonly Utterance[],
  language: ReadableLanguage,
): LineMood[] {
  return utterances.map((said) => {
    const { good, bad, hits } = language === 'de' ? readGermanValence(said.body) : english(said);
    const isOwn = ownWords.test(said.body.slice(0, 400)) || agents.test(said.speaker ?? '');
    const isPraiseOfOthers = others.test(said.body.slice(0, 400));
    const keptGood = isOwn || isPraiseOfOthers ? 0 : good;
    const keptBad = isOwn ? 0 : over.test(said.body.slice(0, 400)) ? bad * 0.3 : bad;
    const kept = hits.filter(({ value }) => (value > 0 ? keptGood > 0 : keptBad < 0));
    return { said, good: keptGood, bad: keptBad, hits: kept };
  });
}

/** Arrows and figures of notes, which the lexicon would read as emoticons. */
const marks = /[-=]+>|<[-=]+|→|[-+]?\d[\d.,/]*%?|[|&+*#~]/g;

function english({ text }: Utterance): Valence {
  const read = readSentences(text.replace(marks, ' ')).map(readValence);
  return {
    good: read.reduce((sum, { good }) => sum + good, 0),
    bad: read.reduce((sum, { bad }) => sum + bad, 0),
    hits: read.flatMap(({ hits }) => hits),
  };
}
