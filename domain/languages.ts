/** The languages that pages speak. The first is spoken to whoever wants none of them. */
export const languages = ['en', 'de'] as const;
export type Language = (typeof languages)[number];

/** The first language of `wanted` (BCP 47 tags, best first) that we speak. */
export function chooseLanguage(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const found = languages.find((language) => language === tag.toLowerCase().split('-')[0]);
    if (found) return found;
  }
  return languages[0];
}
