import i18next from 'i18next';
import texts from '../texts/en/meet.json';
import { locale } from '../texts/language.ts';
import { german } from './german.ts';

/** 'a' | 'b.c' for { a: string, b: { c: string } }, plural endings taken off. */
type KeysOf<Tree> = {
  [Key in keyof Tree & string]: Tree[Key] extends string
    ? Key extends `${infer Stem}_${'one' | 'other'}`
      ? Stem
      : Key
    : `${Key}.${KeysOf<Tree[Key]>}`;
}[keyof Tree & string];
export type TextKey = KeysOf<typeof texts>;

const instance = i18next.createInstance();
void instance.init({
  lng: german ? 'de' : 'en',
  fallbackLng: 'en',
  resources: { en: { meet: texts }, ...(german ? { de: { meet: german.texts } } : {}) },
  defaultNS: 'meet',
  initAsync: false,
  // React escapes what it shows.
  interpolation: { escapeValue: false },
});

/** A text of this page in the person's language. */
export function text(key: TextKey, values: Record<string, string | number> = {}): string {
  return instance.t(key, values);
}

/** Why the server refused, in the person's language where we have it. */
export const refusalText = (code: string, sentence: string): string =>
  german?.refusals[code] ?? sentence;

/** "Ada", "Ada and Bo", "Ada, Bo and Cy". */
export function listNames(names: readonly string[]): string {
  return new Intl.ListFormat(locale).format(names);
}
