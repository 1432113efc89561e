import type { Sentiment } from '#domain/ai/contract.ts';
import { Calendar } from './calendar.ts';
import type { RaisedConcern, Unease } from './concerns.ts';
import { keyEmotions } from './emotions.ts';
import { type LineMood, lineMoods } from './line-moods.ts';
import { findTypedTasks } from './typed-tasks.ts';
import { uneaseIn } from './unease.ts';
import { cite, readUtterances } from './utterances.ts';
import { readableLanguage } from './which-language.ts';

/** Compresses a sum to -1 … 1: four points, as of two strong words, become 0.7. */
const bend = 15;
/** A line without rated words counts as a quarter of one with them. */
const neutralShare = 0.25;
/** Beside a complaint, praise does not make a conversation positive. */
const mostWithConcern = 0.1;
/** Notes name problems to be worked on in a word or two; only more than that is a mood. */
const mildPerLine = 1.2;
const undecided = 0.15;
const plainPraise = 1.8;
const strongWord = -3;
const reservation =
  /\b(?:but|however|although|though|unfortunately|except|only|still|yet|again|another|nobody|no one|never|instead|too|isn't|wasn't|doesn't|didn't|don't|won't|can't|couldn't|aber|leider|jedoch|obwohl|trotzdem|allerdings|nur|noch nicht|immer noch|wieder|niemand|keiner|nie|statt|zu (?:viel|wenig|lang)\p{L}*|nicht)\b/iu;
const mostEvidence = 3;
const weights: Record<RaisedConcern['name'], number> = {
  leaving: 5,
  broken: 3.5,
  unhappy: 4,
  price: 2.5,
  competitor: 2,
  confusion: 2,
  hesitation: 1.5,
};

const unread: Sentiment = {
  overallSentiment: 0,
  confidence: 0,
  keyEmotions: [],
  concernsDetected: false,
  supported: false,
  evidence: [],
};

/** Returns the customer's mood: their concerns first, then the words of the other lines. */
export function sentimentOf(text: string, calledAt: string, timeZone: string): Sentiment {
  const language = readableLanguage(text);
  if (language === null) return unread;
  const utterances = readUtterances(text);
  const calendar = new Calendar(language, calledAt, timeZone);
  const tasks = new Set(findTypedTasks(utterances, calendar).map(({ said }) => said));
  const moods = lineMoods(
    utterances.filter((said) => !tasks.has(said)),
    language,
  );
  const unease = uneaseIn(utterances, language);
  const { concerns } = unease;
  const telling = moods.filter(({ hits }) => hits.length > 0);
  const good = telling.reduce((sum, line) => sum + line.good, 0);
  const words = telling.reduce((sum, line) => sum + Math.min(0, line.bad + mildPerLine), 0);
  const bad = words - weightOf(concerns, moods);
  const count = telling.length + neutralShare * (moods.length - telling.length);
  const sum = (good + bad) / Math.sqrt(Math.max(1, count));
  const bent = sum / Math.sqrt(sum * sum + bend);
  const overallSentiment = rounded(bounded(bent, moods, unease));
  return {
    overallSentiment,
    confidence: confidenceOf(good, bad),
    keyEmotions: keyEmotions(telling.flatMap(({ hits }) => hits)),
    concernsDetected: overallSentiment < -0.3 || concerns.length > 0,
    supported: true,
    evidence: evidenceOf(overallSentiment, moods, concerns),
  };
}

/**
 * Positive takes plain praise without a reservation, and negative a concern or a strong word:
 * single weak words are no mood.
 */
function bounded(
  sentiment: number,
  moods: readonly LineMood[],
  { concerns, isUnsettled }: Unease,
): number {
  if (concerns.length > 0) return Math.min(sentiment, mostWithConcern);
  const worst = Math.min(0, ...moods.map(({ bad }) => bad));
  const best = Math.max(0, ...moods.map(({ good }) => good));
  const hasReservation = moods.some(({ said }) => reservation.test(said.body.slice(0, 400)));
  if (sentiment > 0 && (hasReservation || best < plainPraise || isUnsettled))
    return Math.min(sentiment, undecided);
  return worst > strongWord || !isUnsettled ? Math.max(sentiment, -undecided) : sentiment;
}

/** What the words of a concern's own line have not yet counted. */
function weightOf(concerns: readonly RaisedConcern[], moods: readonly LineMood[]): number {
  return concerns.reduce((sum, { name, said }) => {
    const counted = moods.find((mood) => mood.said === said)?.bad ?? 0;
    return sum + Math.max(0, weights[name] + counted);
  }, 0);
}

function evidenceOf(
  overall: number,
  moods: readonly LineMood[],
  concerns: readonly RaisedConcern[],
): string[] {
  const raised = concerns.map(({ said }) => said);
  const rated = moods
    .map(({ said, good, bad }) => ({ said, value: overall > 0 ? good + bad : -(good + bad) }))
    .filter(({ value }) => value >= 1)
    .sort((a, b) => b.value - a.value)
    .map(({ said }) => said);
  const told = overall > mostWithConcern ? rated : [...raised, ...rated];
  return [...new Set(told.map(({ line }) => cite(line)))].slice(0, mostEvidence);
}

/**
 * Much evidence in one direction gives high confidence; little or balanced evidence gives low
 * confidence.
 */
function confidenceOf(good: number, bad: number): number {
  const evidence = good - bad;
  if (evidence === 0) return 0.2;
  const amount = 1 - Math.exp(-evidence / 5);
  const agreement = Math.abs(good + bad) / evidence;
  return rounded(0.25 + 0.7 * amount * (0.4 + 0.6 * agreement));
}

const rounded = (value: number) => Math.round(value * 100) / 100 || 0;
