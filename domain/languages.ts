/** The languages of the pages. The first is the default. */
export const languages = ['en', 'de'] as const;
export type Language = (typeof languages)[number];

/** Returns the first language of `wanted` (BCP 47 tags, best first) that we support. */
export function chooseLanguage(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const found = languages.find((language) => language === tag.toLowerCase().split('-')[0]);
    if (found) return found;
  }
  return languages[0];
}
