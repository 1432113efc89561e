import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { literalsOf, type Statement } from './statements.ts';

/** A place in the product's files that contains a literal of the specification. */
export type Site = { file: string; offset: number; literal: string; tests: string[] };

const product = ['domain', 'server', 'web'];
/** Shorter words of the protocol are too general to search in every file: separate tests show them. */
const shortest = 3;

/** Returns every place where a quoted literal of a statement is (or is part of) a string of the product. */
export function literalSites(root: string, statements: readonly Statement[]): Site[] {
  const testsOf = new Map<string, Set<string>>();
  for (const statement of statements) {
    if (statement.absent !== null) continue;
    for (const literal of literalsOf(statement)) {
      if (literal.trim().length < shortest) continue;
      const tests = testsOf.get(literal) ?? new Set();
      for (const { file } of statement.tests) tests.add(file);
      testsOf.set(literal, tests);
    }
  }
  return productFiles(root).flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    return [...testsOf].flatMap(([literal, tests]) =>
      offsetsOf(text, literal).map((offset) => ({ file, offset, literal, tests: [...tests] })),
    );
  });
}

function productFiles(root: string): string[] {
  const listed = execFileSync('git', ['ls-files', ...product], { cwd: root, encoding: 'utf8' });
  return listed
    .split('\n')
    .filter((file) => /\.(ts|tsx|json)$/.test(file))
    .filter((file) => !/\.test\.|\/(testing|seed|migrations)\/|\/de\//.test(file));
}

/** Returns where the literal starts or is a whole string: "…", '…', `…`, or the text of an element. */
function offsetsOf(text: string, literal: string): number[] {
  const offsets: number[] = [];
  for (let at = text.indexOf(literal); at >= 0; at = text.indexOf(literal, at + 1)) {
    const [before, after] = [text[at - 1] ?? '', text[at + literal.length] ?? ''];
    const isWhole = /["'`>]/.test(before) && /["'`<]/.test(after);
    if (isWhole && !isCommented(text, at)) offsets.push(at);
  }
  return offsets;
}

function isCommented(text: string, at: number): boolean {
  const line = text.slice(text.lastIndexOf('\n', at) + 1, at);
  return /^\s*(\*|\/[*/])/.test(line);
}

/** Returns the same text with one letter (or digit) of the literal changed. */
export function altered(text: string, { offset, literal }: Site): string {
  const within = literal.search(/[a-z0-9](?=[^a-z0-9]*$)/i);
  const at = offset + Math.max(within, 0);
  const other =
    text[at] === 'x' ? 'y' : text[at] === '7' ? '8' : /\d/.test(text[at] ?? '') ? '7' : 'x';
  return `${text.slice(0, at)}${other}${text.slice(at + 1)}`;
}
