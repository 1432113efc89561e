/** One match in the transcript. */
export interface Hit {
  /** Index of the line. */
  line: number;
  /** Half-open, in UTF-16 units of the line's text. */
  from: number;
  to: number;
}

/** Hits beyond this are not counted. */
export const mostHits = 2000;

/** Returns where the words of `query` stand in the texts, without regard to case and accents. */
export function hitsIn(texts: readonly string[], query: string): Hit[] {
  const wanted = folded(query.trim().replaceAll(/\s+/g, ' ')).text;
  if (wanted === '') return [];
  const hits: Hit[] = [];
  for (const [line, { text: plain, at, length }] of foldedOnce(texts).entries()) {
    for (let from = plain.indexOf(wanted); from >= 0; ) {
      if (hits.length === mostHits) return hits;
      const end = from + wanted.length;
      hits.push({ line, from: at ? (at[from] ?? 0) : from, to: at ? (at[end] ?? length) : end });
      from = plain.indexOf(wanted, end);
    }
  }
  return hits;
}

/** A text without case and accents. */
interface Folded {
  text: string;
  /** For each unit where it stood; null if nothing has moved. */
  at: readonly number[] | null;
  /** Of the text itself. */
  length: number;
}

/** A reader types letter after letter, and each would cost a long call's texts again. */
const known = new WeakMap<readonly string[], Folded[]>();
function foldedOnce(texts: readonly string[]): Folded[] {
  const all = known.get(texts) ?? texts.map(folded);
  known.set(texts, all);
  return all;
}

const isAscii = /^[\0-\x7f]*$/;

function folded(text: string): Folded {
  if (isAscii.test(text)) return { text: text.toLowerCase(), at: null, length: text.length };
  let plain = '';
  const at: number[] = [];
  let index = 0;
  for (const character of text) {
    const letter =
      character < '\x80' ? character : character.normalize('NFD').replaceAll(/\p{M}/gu, '');
    const bare = letter.toLowerCase();
    for (let unit = 0; unit < bare.length; unit += 1) at.push(index);
    plain += bare;
    index += character.length;
  }
  // A mark at the end has moved nothing, and belongs to the last hit.
  const hasMoved = plain.length < text.length || at.some((from, unit) => from !== unit);
  return { text: plain, at: hasMoved ? at : null, length: text.length };
}
