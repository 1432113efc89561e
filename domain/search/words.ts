/*
 * How texts are parted into words. The functions search_folded and search_vector (migration 0058) do the same for the
 * index; search-words.test.ts compares them.
 */

const marks =
  /(?:[\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u0640\u200b-\u200f\u2060\ufeff]|[\ufe00-\ufe0f])+/gu;
const between =
  '[\\u0000-\\u002f\\u003a-\\u0060\\u007b-\\u00bf\\u00d7\\u00f7\\u02b0-\\u02ff\\u055a-\\u055f\\u0589-\\u058a\\u05f3-\\u05f4\\u0600-\\u060f\\u061b-\\u061f\\u066a-\\u066d\\u06d4\\u0964-\\u0965\\u0e3f\\u0e4f\\u0e5a-\\u0e5b\\u1360-\\u1368\\u1680\\u17d4-\\u17db\\u2000-\\u2bff\\u2e00-\\u2e7f\\u3000-\\u3004\\u3008-\\u3020\\u3030\\u303d\\u30fb\\ue000-\\uf8ff\\ufe10-\\ufe6f\\u{1f000}-\\u{1faff}]+';
const betweenWords = new RegExp(between, 'gu');
/** Thai, Lao, Burmese, Khmer, Hangul, Kana, and Han: their words are not parted by spaces, or carry endings. */
const unspaced =
  '[\\u0e00-\\u0eff\\u1000-\\u109f\\u1100-\\u11ff\\u1780-\\u17ff\\u3005-\\u3007\\u3021-\\u302f\\u3031-\\u312f\\u31f0-\\u31ff\\u3400-\\u9fff\\ua960-\\ua97f\\uac00-\\ud7ff\\uf900-\\ufaff\\u{20000}-\\u{3ffff}]+';
const unspacedRuns = new RegExp(`(${unspaced})`, 'gu');
const isUnspaced = new RegExp(`^${unspaced}`, 'u');

const spelled: Record<string, string> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ς: 'σ', ı: 'i' },
};
const longestWord = 60;

/** Returns the text without case and marks, with a space for what is neither letter nor digit. */
const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(marks, '')
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[ßæœøłđςı]/g, (letter) => spelled[letter] ?? letter)
    .replaceAll(betweenWords, ' ');

/** Words of one piece of a text, in their order: with spaces between them, or a run of writing that has none. */
interface Piece {
  text: string;
  isUnspaced: boolean;
}

function piecesOf(text: string): Piece[] {
  return folded(text)
    .replaceAll(unspacedRuns, ' $1 ')
    .split(' ')
    .filter((piece) => piece !== '')
    .map((piece) => ({
      text: piece,
      isUnspaced: isUnspaced.test(piece),
    }));
}

/** A word of the index at its place; `isStart` for a single character, which begins the pairs of the index. */
interface IndexedWord {
  word: string;
  isStart: boolean;
}

/** Returns the words of a text as a search looks them up: consecutive ones are consecutive in the index. */
export function wordsOf(text: string): IndexedWord[] {
  return piecesOf(text).flatMap((piece): IndexedWord[] => {
    const characters = [...piece.text];
    if (!piece.isUnspaced) {
      return [{ word: characters.slice(0, longestWord).join(''), isStart: false }];
    }
    if (characters.length === 1) return [{ word: piece.text, isStart: true }];
    return characters
      .slice(0, -1)
      .map((character, at) => ({ word: character + characters[at + 1], isStart: false }));
  });
}

/** Returns the words of a speaker's name, in any writing. */
export const wordsOfName = (name: string): string[] =>
  folded(name)
    .split(' ')
    .filter((word) => word !== '')
    .map((word) => [...word].slice(0, longestWord).join(''));

/** A part of a text to highlight: from a UTF-16 index up to another. */
export interface Mark {
  from: number;
  to: number;
}

interface Atom {
  text: string;
  start: number;
  end: number;
}

// What `folded` removes or keeps together: a character with the marks that follow it.
const characters = /\P{M}(?:\p{M}|\u200d|\u0640)*/gu;

/** What a character with its marks folds to. */
interface Folded {
  pieces: Piece[];
  /** Whether it is a mark, or a letter that folds to nothing. */
  isNothing: boolean;
}

const mostKnown = 20_000;
const known = new Map<string, Folded>();

/** Most characters come again, and folding costs much more than looking up. */
function foldedCharacter(character: string): Folded {
  const found = known.get(character);
  if (found) return found;
  const pieces = piecesOf(character);
  const result = { pieces, isNothing: pieces.length === 0 && folded(character) === '' };
  if (known.size >= mostKnown) known.clear();
  if (character.length <= 8) known.set(character, result);
  return result;
}

/** Returns the folded pieces of a text with their places in it; unspaced writing by character. */
function atomsOf(text: string): Atom[] {
  const atoms: Atom[] = [];
  let open: Atom | null = null;
  for (const { 0: character, index } of text.matchAll(characters)) {
    const end = index + character.length;
    const { pieces, isNothing } = foldedCharacter(character);
    if (pieces.length === 0) {
      // A mark or a letter that folds to nothing does not end a word; anything else does.
      if (!isNothing) open = null;
      continue;
    }
    for (const piece of pieces) {
      if (piece.isUnspaced) {
        open = null;
        for (const each of piece.text) atoms.push({ text: each, start: index, end });
      } else if (open && pieces.length === 1 && open.end <= index) {
        open.text += piece.text;
        open.end = end;
      } else {
        open = { text: piece.text, start: index, end };
        atoms.push(open);
      }
    }
  }
  return atoms;
}

/**
 * Returns where a text has one of the terms, in order and without overlaps.
 * @param mostAfterFirst marks that begin further than this behind the first one are left out
 */
export function marksOf(
  text: string,
  terms: readonly string[],
  mostAfterFirst = Number.POSITIVE_INFINITY,
): Mark[] {
  const atoms = atomsOf(text);
  const wanted = terms
    .map((term) => atomsOf(term).map((atom) => atom.text))
    .filter((atomsOfTerm) => atomsOfTerm.length > 0);
  const found: Mark[] = [];
  for (let at = 0; at < atoms.length; at += 1) {
    let length = 0;
    for (const words of wanted) {
      if (words.length <= length) continue;
      if (words.every((word, offset) => atoms[at + offset]?.text === word)) length = words.length;
    }
    const [first, last] = [atoms[at], atoms[at + length - 1]];
    if (length === 0 || !first || !last) continue;
    if (first.start - (found[0]?.from ?? first.start) > mostAfterFirst) break;
    found.push({ from: first.start, to: last.end });
    at += length - 1;
  }
  return found;
}
