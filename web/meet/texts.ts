import texts from '../texts/en/meet.json';
import { locale } from '../texts/language.ts';
import { fillText } from './fill-text.ts';
import { german } from './german.ts';

/** 'a' | 'b.c' for { a: string, b: { c: string } }, without plural endings. */
export type KeysOf<Tree> = {
  [Key in keyof Tree & string]: Tree[Key] extends string
    ? Key extends `${infer Stem}_${'one' | 'other'}`
      ? Stem
      : Key
    : `${Key}.${KeysOf<Tree[Key]>}`;
}[keyof Tree & string];
export type TextKey = KeysOf<typeof texts>;

/** Returns a text of this page in the person's language. */
export function text(key: TextKey, values: Record<string, string | number> = {}): string {
  const inGerman = german && fillText(german.texts, key, values, 'de');
  return inGerman ?? fillText(texts, key, values, 'en') ?? key;
}

/** Returns why the server refused, in the person's language if there is a translation. */
export const refusalText = (code: string, sentence: string): string =>
  german?.refusals[code] ?? sentence;

/** "Ada", "Ada and Bo", "Ada, Bo and Cy". */
export function listNames(names: readonly string[]): string {
  return new Intl.ListFormat(locale).format(names);
}
