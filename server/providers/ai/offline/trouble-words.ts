import type { Sentence } from './concerns.ts';
import { classesIn } from './mood-classes.ts';
import type { ReadableLanguage } from './which-language.ts';

/** Words that are in all notes: they say nothing alone, and something beside another word. */
const common: Record<ReadableLanguage, ReadonlySet<string>> = {
  en: new Set(
    "the a an and or of to in on at by for with from as is are was were be been being am it its it's this that these those there here i me my we us our you your he him his she her hers they them their who which what when where how has have had do does did will would can could may might should shall if so than then also just very into about over out up off per via re ok one two said says say asked asks got get gets go goes going went come came comes make makes made take takes took i'm i'll i'd we'll we'd we're they're they'd they'll he's she's he'd she'd he'll she'll that's there's".split(
      ' ',
    ),
  ),
  de: new Set(
    'die das den dem des der ein eine einen einem einer eines und oder von zu zum zur im in ins am an auf aus bei beim mit nach vor über unter für um bis als wie so ist sind war waren sein hat haben hatte hatten wird werden wurde ich mich mir wir uns unser unsere er ihn ihm sie ihr ihre ihren ihrem ihrer es man dass ob wenn da sich auch dann dort hier dies diese dieser dieses will wollen kann können konnte soll sollen sollte muss müssen sei seien hätte würde sagt sagte meint fragt fragte geht ging kommt kam macht gibt gab frau herr fr hr'.split(
      ' ',
    ),
  ),
};

const sentenceEnd = /[.;!?]+\s*/;
const word = /\p{L}[\p{L}']*|\d+/gu;
/** "delivered", "delivery", and "deliveries" count as one word. */
const stem = 6;
const quoted = /["“„']\w[^"”]{6,}["”']/;

/** What is counted of a line, each by a name that `words/trouble.tsv` has a weight for. */
export interface LineWords {
  words: ReadonlySet<string>;
  classes: readonly [string, number][];
}

/** What is settled, supposed, or asked has weights of its own. */
const notSo = 'not so:';

export function wordsOfLine(sentences: readonly Sentence[], language: ReadableLanguage): LineWords {
  const words = new Set<string>();
  const classes: [string, number][] = [];
  for (const { text: written, isOpen, isSupposed } of sentences) {
    const text = written.toLowerCase();
    const prefix = isOpen ? language : `${language} ${notSo}`;
    if (!isOpen) words.add(isSupposed ? 'supposed' : 'settled');
    for (const part of text.split(sentenceEnd)) addWords(part, prefix, common[language], words);
    classes.push(...classesIn(text, language));
    for (const mark of ['!', '?']) if (text.includes(mark)) words.add(mark);
    if (quoted.test(text)) words.add('quote');
  }
  return { words, classes };
}

/** Adds the words and the pairs of words of a sentence. */
function addWords(
  sentence: string,
  prefix: string,
  common: ReadonlySet<string>,
  words: Set<string>,
): void {
  let before: { short: string; isCommon: boolean } | null = null;
  for (const written of sentence.match(word) ?? []) {
    const short = /^\d/.test(written) ? '#' : written.slice(0, stem);
    const isCommon = common.has(written);
    if (!isCommon) words.add(`${prefix} ${short}`);
    if (before && !(isCommon && before.isCommon)) words.add(`${prefix} ${before.short} ${short}`);
    before = { short, isCommon };
  }
}

/** What the rules found (`concerns.ts`). */
interface Ruled {
  concerns: readonly unknown[];
  score: number;
}

/** Words of a long note count less each, and all together more. */
const scale = 6;
/** A line or two are no measure of anything. */
const fewestFeatures = 40;
const leastScore = -3;
const mostScore = 6;
const scoreUnit = 3;
/** So many lines more need as much again for the same score. */
const linesPerScore = 12;

/** Returns what a note's mood is decided by: its words, pairs, and classes of words, and what the rules found. */
export function troubleFeatures(
  lines: readonly LineWords[],
  language: ReadableLanguage,
  { concerns, score }: Ruled,
): Map<string, number> {
  const features = new Map<string, number>();
  const counts = new Map<string, number>();
  for (const { words, classes } of lines) {
    for (const name of words) features.set(name, 1);
    for (const [name, count] of classes) counts.set(name, (counts.get(name) ?? 0) + count);
  }
  for (const [name, count] of counts) {
    features.set(`class ${name}`, 1);
    features.set(`class ${name}, often`, Math.log(1 + count) / 2);
  }
  const share = scale / Math.sqrt(Math.max(fewestFeatures, features.size));
  for (const [name, value] of features) features.set(name, value * share);
  const weighed = score / (1 + lines.length / linesPerScore);
  features.set('rules', Math.max(leastScore, Math.min(mostScore, weighed)) / scoreUnit);
  features.set('rules, concern', concerns.length > 0 ? 1 : 0);
  features.set('always', 1);
  features.set(`always ${language}`, 1);
  return features;
}
