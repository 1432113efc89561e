export interface Utterance {
  /** The name at the start of the line; null without one. */
  speaker: string | null;
  /** The spoken text, without name, time and bullet. */
  text: string;
  /** The line as written. */
  line: string;
  isListItem: boolean;
  /** The line without time and bullet, with its name. */
  body: string;
  /** A ticked box: the task is done. */
  isTicked: boolean;
  /** How many lines of the text come after this one. */
  linesAfter: number;
}

const time = String.raw`[[(]?\d{1,2}:\d{2}(?::\d{2})?[\])]?`;
const bullet = /^(?:[-*•–]|\d{1,2}[.)]|[a-h]\)|\|)\s+(?=\S)|^\[[ xX✓]?\]\s*/;
const named =
  /^(?:([\p{Lu}][\p{L}.'-]*(?: [\p{Lu}][\p{L}.'-]*){0,2})|((?:speaker|participant|person|agent|customer|client|host|csm|rep|user|me|you|pm|ui|id|me) ?[a-z\d]?))(?: ?\([^)]{1,40}\))?\s?:\s+(.+)$/iu;
/** Words before a colon that are not a speaker's name. */
const labels =
  /^(?:actions?|action items?|to-?dos?|tasks?|next steps?|follow-?ups?|notes?|summary|agenda|decisions?|risks?|questions?|re|fyi|ps|nb|update|status|goals?|context|issues?|blockers?|feedback|owner|due|pros?|cons?|the \w+|so|but|and|also)$/i;

/**
 * All characters that `.` does not match: with one of them in a line, `.+$` would fail at each of
 * its characters.
 */
const lineEnd = /\r?\n|[\r\u2028\u2029]/;
const [newLine, carriageReturn, ...otherEnds] = [0x0a, 0x0d, 0x2028, 0x2029] as const;
/** Hours of conversation. Of more lines, the last are read. */
export const mostLines = 10_000;

/** Returns the last lines of a text, at a cost that grows with them and not with the text's other lines. */
export function lastLines(text: string, most: number): string[] {
  let from = text.length;
  for (let lines = 1; from > 0; from -= 1) {
    const end = text.charCodeAt(from - 1);
    const isEnd = end === newLine || end === carriageReturn || otherEnds.some((one) => one === end);
    // The first half of a line end that has been counted.
    if (!isEnd || (end === carriageReturn && text.charCodeAt(from) === newLine)) continue;
    if (lines === most) break;
    lines += 1;
  }
  return text.slice(from).split(lineEnd);
}

/** Splits notes or a transcript into utterances, line by line. */
export function readUtterances(text: string): Utterance[] {
  const found: Utterance[] = [];
  const all = lastLines(text, mostLines);
  for (const [at, written] of all.entries()) {
    const line = written.trim();
    if (line === '') continue;
    let rest = line.replace(new RegExp(`^${time}\\s*[-–]?\\s*`), '');
    const isListItem = bullet.test(rest);
    while (bullet.test(rest)) rest = rest.replace(bullet, '');
    rest = rest.replace(new RegExp(`^${time}\\s*[-–]?\\s*`), '');
    const isTicked = /^(?:[-*•–]\s+)?\[[xX✓]\]/.test(line);
    const body = rest;
    const about = { line, isListItem, body, isTicked, linesAfter: all.length - 1 - at };
    const match = named.exec(rest);
    const name = (match?.[1] ?? match?.[2])?.trim();
    const isName =
      name !== undefined && !labels.test(name) && /^\p{Lu}|^\w+ ?[\da-z]?$/u.test(name);
    if (isName && match?.[3]) {
      found.push({ speaker: name, text: match[3], ...about });
    } else found.push({ speaker: null, text: rest, ...about });
  }
  return found;
}

/** Returns a line for quoting: whole, or its beginning. */
export function cite(line: string, most = 200): string {
  if (line.length <= most) return line;
  const cut = line.slice(0, most);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), most / 2))}…`;
}
