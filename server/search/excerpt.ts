import type { Mark } from '#domain/search/words.ts';

export const longestExcerpt = 240;
/** Characters before the first match. */
const before = 60;

/** Returns the part of a text around its first mark, with the marks in it. */
export function excerptOf(text: string, marks: readonly Mark[]): { text: string; marks: Mark[] } {
  const first = marks[0]?.from ?? 0;
  if (text.length <= longestExcerpt) return { text, marks: [...marks] };
  const start = atWord(text, Math.max(0, Math.min(first - before, text.length - longestExcerpt)));
  const end = Math.max(
    marks[0]?.to ?? 0,
    atWord(text, Math.min(text.length, start + longestExcerpt)),
  );
  const lead = start > 0 ? '…' : '';
  const shift = lead.length - start;
  return {
    text: `${lead}${text.slice(start, end)}${end < text.length ? '…' : ''}`,
    marks: marks
      .filter(({ from, to }) => from >= start && to <= end)
      .map(({ from, to }) => ({ from: from + shift, to: to + shift })),
  };
}

/** Returns the nearest start of a word before the index, or the index where there is none near; never within a pair. */
function atWord(text: string, index: number): number {
  if (index === 0 || index === text.length) return index;
  const space = text.lastIndexOf(' ', index);
  if (space > index - 30) return space + 1;
  const isLowSurrogate = /[\udc00-\udfff]/.test(text[index] ?? '');
  return isLowSurrogate ? index - 1 : index;
}
