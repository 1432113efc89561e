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
/** Hours of conversation. Of more lines, the last are read. */
const mostLines = 10_000;

/** Splits notes or a transcript into utterances, line by line. */
export function readUtterances(text: string): Utterance[] {
  const found: Utterance[] = [];
  for (const written of text.split(lineEnd).slice(-mostLines)) {
    const line = written.trim();
    if (line === '') continue;
    let rest = line.replace(new RegExp(`^${time}\\s*[-–]?\\s*`), '');
    const isListItem = bullet.test(rest);
    while (bullet.test(rest)) rest = rest.replace(bullet, '');
    rest = rest.replace(new RegExp(`^${time}\\s*[-–]?\\s*`), '');
    const isTicked = /^(?:[-*•–]\s+)?\[[xX✓]\]/.test(line);
    const body = rest;
    const match = named.exec(rest);
    const name = (match?.[1] ?? match?.[2])?.trim();
    const isName =
      name !== undefined && !labels.test(name) && /^\p{Lu}|^\w+ ?[\da-z]?$/u.test(name);
    if (isName && match?.[3]) {
      found.push({ speaker: name, text: match[3], line, isListItem, body, isTicked });
    } else found.push({ speaker: null, text: rest, line, isListItem, body, isTicked });
  }
  return found;
}

/** Returns a line for quoting: whole, or its beginning. */
export function cite(line: string, most = 200): string {
  if (line.length <= most) return line;
  const cut = line.slice(0, most);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), most / 2))}…`;
}
