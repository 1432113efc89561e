import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const glossary = join(import.meta.dirname, '..', 'docs', 'glossary.md');
const exported =
  /^export (?:default )?(?:async )?(?:abstract )?(?:function\*?|const|class|interface|type|enum) (\w+)/gm;
const comment = /^\s*(?:\/\/|\/\*\*?|\*)(.*)$/gm;

export interface RetiredTerms {
  /** Rejected in file names and exports. */
  inNames: ReadonlySet<string>;
  /** Rejected in comments, too. */
  always: ReadonlySet<string>;
}

/** Returns the words that the glossary lists at its end. @throws if one of the lists is missing */
export function readRetiredTerms(text = readFileSync(glossary, 'utf8')): RetiredTerms {
  const listOf = (head: string) => {
    const [, list] = new RegExp(`^${head}: (.*)$`, 'm').exec(text) ?? [];
    if (!list) throw new Error(`docs/glossary.md lacks the list “${head}”.`);
    return [...list.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word);
  };
  const always = new Set(listOf('Always wrong'));
  return { inNames: new Set([...listOf('Retired in names'), ...always]), always };
}

/** Returns the problems with the words of one source file. */
export function retiredTermsIn(path: string, text: string, terms: RetiredTerms): string[] {
  const name = path.split('/').at(-1) ?? '';
  const found = wordsOf(name)
    .filter((word) => terms.inNames.has(word))
    .map((word) => `the file’s name has the retired term “${word}”`);
  for (const [, exportedName = ''] of text.matchAll(exported)) {
    for (const word of wordsOf(exportedName)) {
      if (terms.inNames.has(word)) found.push(`${exportedName} has the retired term “${word}”`);
    }
  }
  for (const [, said = ''] of text.matchAll(comment)) {
    for (const word of wordsOf(said)) {
      if (terms.always.has(word)) found.push(`a comment says “${word}”`);
    }
  }
  return found.map((what) => `${what}: see docs/glossary.md`);
}

/** Returns the words of a name or a sentence, in lower case: `emailOfOwner` has three. */
const wordsOf = (text: string) =>
  text
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/);
