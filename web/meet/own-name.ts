export const longestName = 80;

/** A guest's own name as others will see it, or null when there is nothing to see. */
export function ownName(typed: string): string | null {
  const name = typed
    .normalize('NFC')
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim();
  return name === '' ? null : cut(name);
}

/** Counted as the server counts, in UTF-16 units, but never through a character's middle. */
function cut(name: string): string {
  let kept = '';
  for (const character of name) {
    if (kept.length + character.length > longestName) break;
    kept += character;
  }
  return kept.trim();
}

/** One or two letters for a tile without a picture. */
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
