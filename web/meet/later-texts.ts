import german from '../texts/de/meet-later.json';
import texts from '../texts/en/meet-later.json';
import { language } from '../texts/language.ts';
import { fillText } from './fill-text.ts';
import type { KeysOf } from './texts.ts';

export type LaterTextKey = KeysOf<typeof texts>;

/** Returns a text of a part that opens later or not at all: loaded with that part, in both languages. */
export const laterText = (
  key: LaterTextKey,
  values: Record<string, string | number> = {},
): string => fillText(language === 'de' ? german : texts, key, values, language) ?? key;
