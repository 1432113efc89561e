import { createInstance } from 'i18next';
import type { administration } from '#web/texts/en/administration.ts';
import { catalog } from '#web/texts/en/app.ts';
import type security from '#web/texts/en/security.json';
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

export type TextKey = Paths<typeof catalog & typeof administration & { security: typeof security }>;

const texts = createInstance();
void texts.init({
  lng: german ? 'de' : 'en',
  fallbackLng: 'en',
  resources: { en: { app: catalog }, ...(german ? { de: { app: german.catalog } } : {}) },
  defaultNS: 'app',
  initAsync: false,
  // React escapes what it renders.
  interpolation: { escapeValue: false },
});

/** More English texts, which a page brings along. The German ones are in one file, and there already. */
export const addTexts = (more: Branch): void => {
  texts.addResourceBundle('en', 'app', more, true);
};

/** The text of the catalog under `key`, with its `{{values}}` filled in. */
export const t = (key: TextKey, values: Record<string, string | number> = {}): string =>
  texts.t(key, { ...values, replace: localized(values) });

const numbers = new Intl.NumberFormat(locale);

/** A number as the reader writes it. */
export const formatNumber = (value: number): string => numbers.format(value);

/** What is shown; by the number `count` itself i18next chooses between the forms of a plural. */
const localized = (values: Record<string, string | number>) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'number' ? formatNumber(value) : value,
    ]),
  );

/** What the server said, by its `code`, in the reader's language where we have it. */
export const refusalText = (code: string | undefined, sentence: string): string =>
  german?.refusals[code?.replace(/^too_many_.*/, 'too_many') ?? ''] ?? validationText(sentence);

/** What a contract says about a field, in the reader's language where we have it. */
export const validationText = (sentence: string): string =>
  german?.validation[sentence] ?? sentence;
