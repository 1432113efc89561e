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
  for (const [line, text] of texts.entries()) {
    const { text: plain, at } = folded(text);
    for (let from = plain.indexOf(wanted); from >= 0; ) {
      if (hits.length === mostHits) return hits;
      const end = from + wanted.length;
      hits.push({ line, from: at[from] ?? 0, to: at[end] ?? text.length });
      from = plain.indexOf(wanted, end);
    }
  }
  return hits;
}

/** Returns a text without case and accents, and for each of its units where it stood. */
function folded(text: string): { text: string; at: number[] } {
  let plain = '';
  const at: number[] = [];
  let index = 0;
  for (const character of text) {
    const bare = character.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
    for (let unit = 0; unit < bare.length; unit += 1) at.push(index);
    plain += bare;
    index += character.length;
  }
  return { text: plain, at };
}
