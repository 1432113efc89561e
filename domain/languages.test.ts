import { expect, test } from 'vitest';
import { chooseLanguage } from './languages.ts';

test.each([
  [['de-CH', 'en'], 'de'],
  [['fr-FR', 'de', 'en'], 'de'],
  [['EN-gb', 'de'], 'en'],
  [['fr', 'pt-BR'], 'en'],
  [['deu', 'den'], 'en'],
  [[], 'en'],
])('a reader who prefers %j gets %s', (wanted, language) => {
  expect(chooseLanguage(wanted)).toBe(language);
});
