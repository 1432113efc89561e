/** Longest name in a subject. */
const mostCharacters = 60;
/** Control, format (bidi marks, zero-width characters), unassigned and private characters. */
const invisible = /[\p{C}\p{Zl}\p{Zp}]+/gu;
/** What mail programs make a link of: a scheme, an address, or a dot with letters right after it. */
const linkLike = /\/\/|\bwww\.|@|[.。．｡․]\p{L}[\p{L}\p{N}-]|\b\d+\.\d+\.\d+\.\d+\b/iu;

/** Text on one line without invisible characters: what a subject may hold at most. */
export const cleanLine = (text: string): string =>
  text.replace(invisible, ' ').replace(/\s+/g, ' ').trim();

/**
 * A name that people chose, for the subject or heading of a mail: one line of at most 60 characters.
 * Null where nothing is left, or where it holds what may become a link: use a neutral word then.
 */
export function cleanName(name: string): string | null {
  const line = cleanLine(name.normalize('NFKC'));
  if (line === '' || linkLike.test(line)) return null;
  const characters = [...line];
  if (characters.length <= mostCharacters) return line;
  return `${characters
    .slice(0, mostCharacters - 1)
    .join('')
    .trimEnd()}…`;
}
