import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

const folder = (language: 'en' | 'de') => join(import.meta.dirname, '../../web/texts', language);

/** Returns the English texts of the app that differ from the German ones, without placeholders. */
function englishOnly(): Set<string> {
  const found = new Set<string>();
  const walk = (english: unknown, german: unknown) => {
    if (typeof english === 'string') {
      if (english !== german && !english.includes('{')) found.add(english);
      return;
    }
    if (!isTree(english) || !isTree(german)) return;
    for (const [key, value] of Object.entries(english)) walk(value, german[key]);
  };
  for (const file of readdirSync(folder('en')).filter((name) => name.endsWith('.json')))
    walk(read('en', file), read('de', file));
  return found;
}

const read = (language: 'en' | 'de', file: string): unknown =>
  JSON.parse(readFileSync(join(folder(language), file), 'utf8'));

const isTree = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** Returns the English texts on a page that should be German, visible ones and labels. */
export async function englishOn(page: Page): Promise<string[]> {
  const said = await page.evaluate(() => {
    // The names of languages are in their own language.
    const elements = [...document.body.querySelectorAll('*:not([lang])')];
    const texts = elements.flatMap(({ childNodes }) =>
      [...childNodes].filter((node) => node instanceof Text).map(({ data }) => data),
    );
    const labels = elements.flatMap((element) =>
      ['aria-label', 'title', 'placeholder', 'alt'].map((name) => element.getAttribute(name) ?? ''),
    );
    return [document.title, ...texts, ...labels];
  });
  const english = englishOnly();
  return [...new Set(said.map((text) => text.trim()))].filter((text) => english.has(text));
}
