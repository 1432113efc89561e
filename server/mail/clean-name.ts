/** The longest name in a subject. */
const mostCharacters = 60;
/** Control, format (bidi marks, zero-width characters), unassigned and private characters. */
const invisible = /[\p{C}\p{Zl}\p{Zp}]+/gu;
/** Text that mail programs turn into a link: a scheme, an address, or a dot directly followed by letters. */
const linkLike = /\/\/|\bwww\.|@|[.。．｡․]\p{L}[\p{L}\p{N}-]|\b\d+\.\d+\.\d+\.\d+\b/iu;

/** Returns the text as one line without invisible characters, for a subject. */
export const cleanLine = (text: string): string =>
  text.replace(invisible, ' ').replace(/\s+/g, ' ').trim();

/**
 * Returns a name that people chose, for the subject or heading of a mail: one line of at most 60 characters.
 * Returns null if nothing is left, or if it contains something that may become a link; use a neutral word
 * then.
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

/** Control characters besides line breaks, and marks that embed, override, or isolate a direction of writing. */
const misleading = /(?!\n)[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu;

/** Returns a text for the body of a mail, in which nothing is shown in another order than it is written. */
export const cleanText = (text: string): string =>
  text.replaceAll('\r\n', '\n').replace(misleading, ' ');
