import { createInstance } from 'i18next';
import { catalogue } from '#web/texts/en/app.ts';
import { german } from '#web/texts/german.ts';
import { locale } from '#web/texts/language.ts';

type Branch = { readonly [key: string]: string | Branch };
/** Every path to a text, dotted; a plural's `_one` and `_other` are one key. */
type Paths<T extends Branch> = {
  [K in keyof T & string]: T[K] extends string
    ? K extends `${infer Stem}_${'one' | 'other'}`
      ? Stem
      : K
    : T[K] extends Branch
      ? `${K}.${Paths<T[K]>}`
      : never;
}[keyof T & string];

export type TextKey = Paths<typeof catalogue>;

const texts = createInstance();
void texts.init({
  lng: german ? 'de' : 'en',
  fallbackLng: 'en',
  resources: { en: { app: catalogue }, ...(german ? { de: { app: german.catalogue } } : {}) },
  defaultNS: 'app',
  initAsync: false,
  // React escapes what it renders.
  interpolation: { escapeValue: false },
});

/** The text of the catalogue under `key`, with its `{{values}}` filled in. */
export const t = (key: TextKey, values: Record<string, string | number> = {}): string =>
  texts.t(key, localized(values));

const numbers = new Intl.NumberFormat(locale);

/** A number as the reader writes it. */
export const formatNumber = (value: number): string => numbers.format(value);

/** `count` stays a number: by it i18next chooses between the forms of a plural. */
function localized(values: Record<string, string | number>) {
  const shown: Record<string, string | number> = { ...values };
  for (const [name, value] of Object.entries(values))
    if (typeof value === 'number' && name !== 'count') shown[name] = formatNumber(value);
  return shown;
}

/** What the server said, by its `code`, in the reader's language where we have it. */
export const refusalText = (code: string | undefined, sentence: string): string =>
  german?.refusals[code?.replace(/^too_many_.*/, 'too_many') ?? ''] ?? validationText(sentence);

/** What a contract says about a field, in the reader's language where we have it. */
export const validationText = (sentence: string): string =>
  german?.validation[sentence] ?? sentence;
