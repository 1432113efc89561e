import { createInstance } from 'i18next';
import { catalogue } from '#web/texts/en/app.ts';

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
  lng: 'en',
  resources: { en: { app: catalogue } },
  defaultNS: 'app',
  initAsync: false,
  // React escapes what it renders.
  interpolation: { escapeValue: false },
});

/** The text of the catalogue under `key`, with its `{{values}}` filled in. */
export const t = (key: TextKey, values: Record<string, string | number> = {}): string =>
  texts.t(key, values);
