/**
 * What speech models write where nobody spoke: sentences from the subtitles that they learned from. Compared
 * without punctuation and in lower case.
 */
const knownHallucinations = new Set([
  'you',
  'bye bye',
  'thank you for watching',
  'thanks for watching',
  'thank you so much for watching',
  'thank you very much for watching',
  'please subscribe',
  'please subscribe to my channel',
  'like and subscribe',
  'dont forget to subscribe',
  'subtitles by the amaraorg community',
  'transcription by castingwords',
  'vielen dank fürs zuschauen',
  'danke fürs zuschauen',
  'untertitel im auftrag des zdf für funk 2017',
  'untertitelung des zdf 2020',
  'untertitel der amaraorg community',
  'sous titres réalisés par la communauté damaraorg',
  'sous titres réalisés para la communauté damaraorg',
  'merci davoir regardé cette vidéo',
  'subtítulos realizados por la comunidad de amaraorg',
  'gracias por ver el video',
  'sottotitoli creati dalla comunità amaraorg',
  'legendas pela comunidade amaraorg',
  'ご視聴ありがとうございました',
]);

/** Faster speech than anyone's: a model that fills a short sound with a long sentence. */
const mostCharactersPerSecond = 40;
const charactersWithoutTime = 30;
/** The same words this often in one phrase are a model in a loop. */
const mostRepeats = 4;
const longestLoopWords = 8;
/** So often in a row a person may say the same short line. */
const mostSameLines = 2;
const shortLineWords = 3;

export interface HeardLine {
  text: string;
  durationMs: number;
  /** The speaker's lines before, newest last. */
  before: readonly string[];
}

/** Whether a recognized line was most likely not said. */
export function isHallucination({ text, durationMs, before }: HeardLine): boolean {
  const words = wordsOf(text);
  if (words.length === 0 || isAnnotation(text)) return true;
  const line = words.join(' ');
  const mostCharacters = charactersWithoutTime + (durationMs / 1000) * mostCharactersPerSecond;
  return (
    knownHallucinations.has(line) ||
    text.length > mostCharacters ||
    isLoop(words) ||
    isRepeated(line, words.length, before)
  );
}

/** Such as `[BLANK_AUDIO]`, `(music)`, or `♪ ♪`. */
const isAnnotation = (text: string): boolean =>
  /^\s*(?:\[[^\]]*\]|\([^)]*\)|\*[^*]*\*|[♪♫\s.])+\s*$/u.test(text);

function isRepeated(line: string, words: number, before: readonly string[]): boolean {
  const lines = before.map((each) => wordsOf(each).join(' '));
  const most = words <= shortLineWords ? mostSameLines : 1;
  return lines.length >= most && lines.slice(-most).every((each) => each === line);
}

/** Whether the same one to eight words make up most of the phrase. */
function isLoop(words: readonly string[]): boolean {
  for (let length = 1; length <= longestLoopWords; length += 1) {
    let repeats = 1;
    for (let at = length; at + length <= words.length; at += length) {
      const isSame = words
        .slice(at, at + length)
        .every((word, index) => word === words[at - length + index]);
      repeats = isSame ? repeats + 1 : 1;
      if (repeats > mostRepeats) return true;
    }
  }
  return false;
}

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .replace(/[\p{P}\p{S}]/gu, (mark) => (mark === '-' ? ' ' : ''))
    .split(/\s+/)
    .filter((word) => word !== '');
