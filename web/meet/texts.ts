import i18next from 'i18next';
import texts from '../texts/en/meet.json';

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
  lng: 'en',
  resources: { en: { meet: texts } },
  defaultNS: 'meet',
  initAsync: false,
  // React escapes what it shows.
  interpolation: { escapeValue: false },
});

/** A text of this page in the person's language. */
export function text(key: TextKey, values: Record<string, string | number> = {}): string {
  return instance.t(key, values);
}

/** "Ada", "Ada and Bo", "Ada, Bo and Cy". */
export function listNames(names: readonly string[]): string {
  return new Intl.ListFormat(instance.language).format(names);
}
