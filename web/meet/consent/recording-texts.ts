import german from '../../texts/de/recording.json';
import texts from '../../texts/en/recording.json';
import { language } from '../../texts/language.ts';
import { fillText } from '../fill-text.ts';
import type { KeysOf } from '../texts.ts';

/** Returns a text about recordings: loaded with these parts, in both languages. */
export const recordingText = (
  key: KeysOf<typeof texts>,
  values: Record<string, string | number> = {},
): string => fillText(language === 'de' ? german : texts, key, values, language) ?? key;
