import { eld } from 'eld/extrasmall';

/** The languages that the analyzer reads. */
export type ReadableLanguage = 'en' | 'de';

/** Characters read at the beginning, in the middle, and at the end: enough to tell languages apart. */
const sampleCharacters = 700;
/** Below this many letters, guesses between all languages are chance. */
const fewLetters = 24;
const codeShare = 0.5;
const mostLines = 400;

/** Returns the language of the text; null for one that the analyzer cannot read, and for code and logs. */
export function readableLanguage(text: string): ReadableLanguage | null {
  const sample = sampleOf(text);
  if (isForeignScript(sample) || isCode(sample)) return null;
  const letters = sample.match(/\p{L}/gu)?.length ?? 0;
  if (letters === 0) return null;
  const detected = eld.detect(sample);
  if (detected.language === 'de' || detected.language === 'en') return detected.language;
  if (letters >= fewLetters && detected.language !== '') return null;
  const { en = 0, de = 0 } = detected.getScores();
  return de > en ? 'de' : 'en';
}

function sampleOf(text: string): string {
  if (text.length <= 3 * sampleCharacters) return text;
  const middle = Math.floor(text.length / 2);
  return [
    text.slice(0, sampleCharacters),
    text.slice(middle, middle + sampleCharacters),
    text.slice(-sampleCharacters),
  ].join('\n');
}

function isForeignScript(text: string): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const latin = text.match(/\p{Script=Latin}/gu)?.length ?? 0;
  return latin < letters / 2;
}

const codeLine =
  /[;{}]\s*$|^\s*(?:[{}\])]|<\/?\w|\/\/|\/\*|#include|import .* from|from \w+ import|def \w+\(|class \w+|return\b.*[()=]|(?:const|let|var) \w+ =|function\b.*\(|if \(|for \(|SELECT\b|INSERT INTO|UPDATE \w+ SET|\$ \w+|at \S+\(|File "|Traceback|"[\w-]+":)|\w+\([^)]*\)\s*$|=>|[!=]==|&&|\|\||\w+\.\w+\(|^\s*\w+ = \S|^[\w.]*(?:Error|Exception):|^\s+\w+\(|^\S*\d{2}:\d{2}:\d{2}\S*\s+\S*\s*(?:ERROR|WARN|INFO|DEBUG|FATAL|TRACE)\b|^\[?\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}|\b(?:GET|POST|PUT|DELETE) \/\S+/;

function isCode(text: string): boolean {
  const lines = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, mostLines);
  return lines.filter(isCodeLine).length > codeShare * lines.length;
}

/** Whether a line is code, data, or a log, and not the words of a person. */
export const isCodeLine = (line: string): boolean =>
  codeLine.test(line.slice(0, 300)) && !/^\s*[-*•=]>? /.test(line);
