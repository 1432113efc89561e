export const longestName = 80;

/** A guest's own name as others will see it, or null when there is nothing to see. */
export function ownName(typed: string): string | null {
  const name = typed
    .normalize('NFC')
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim();
  return name === '' ? null : Array.from(name).slice(0, longestName).join('').trim();
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
