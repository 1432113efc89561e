import german from '../texts/de/devices.json';
import texts from '../texts/en/devices.json';
import { language } from '../texts/language.ts';
import { fillText } from './fill-text.ts';
import type { KeysOf } from './texts.ts';

export type DeviceTextKey = KeysOf<typeof texts>;

/**
 * A text about devices and the connection, which most people never need: loaded with what shows it, in
 * both languages.
 */
export const deviceText = (
  key: DeviceTextKey,
  values: Record<string, string | number> = {},
): string => fillText(language === 'de' ? german : texts, key, values, language) ?? key;
