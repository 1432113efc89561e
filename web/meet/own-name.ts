export const longestName = 80;

/** Returns a guest's name as the others see it, or null if it has no visible character. */
export function ownName(typed: string): string | null {
  const name = typed
    .normalize('NFC')
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim();
  return name === '' ? null : cut(name);
}

/** Counts in UTF-16 units, as the server does, and never splits a character. */
function cut(name: string): string {
  let kept = '';
  for (const character of name) {
    if (kept.length + character.length > longestName) break;
    kept += character;
  }
  return kept.trim();
}

/** Returns one or two letters for a tile without video. */
export function initials(name: string): string {
  const words = name.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
  const first = words.at(0);
  if (first === undefined) return '';
  const last = words.length > 1 ? words.at(-1) : undefined;
  return [first, last]
    .map((word) => Array.from(word?.match(/[\p{L}\p{N}]/u)?.[0] ?? '')[0] ?? '')
    .join('')
    .toLocaleUpperCase();
}
