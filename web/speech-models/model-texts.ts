import { locale } from '#web/texts/language.ts';

const size = new Intl.NumberFormat(locale, {
  style: 'unit',
  unit: 'megabyte',
  maximumFractionDigits: 0,
});
const smallSize = new Intl.NumberFormat(locale, {
  style: 'unit',
  unit: 'megabyte',
  maximumFractionDigits: 1,
});
const names = new Intl.DisplayNames(locale, { type: 'language' });
/** Ten and more are written without a fraction. */
const smallBelow = 10;

/** Returns a size like “72 MB”. */
export function megabytes(bytes: number): string {
  const count = bytes / 1e6;
  return (count < smallBelow ? smallSize : size).format(count);
}

/** Returns the names of languages; a code that is none stays as the operator wrote it. */
export const languageNames = (codes: readonly string[]): string => codes.map(nameOf).join(', ');

function nameOf(code: string): string {
  try {
    return names.of(code) ?? code;
  } catch {
    return code;
  }
}
