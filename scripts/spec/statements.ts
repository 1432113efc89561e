import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One statement of the specification. `tests` are references as written: `file: words of a test's name`. */
export type Statement = {
  section: string;
  says: string;
  tests: { file: string; words: string }[];
  /** Why the product does not do it yet. No test shows it then. */
  absent: string | null;
  /** What the product does instead, on purpose. The tests show that. */
  differs: string | null;
};

export const statementsFile = join(import.meta.dirname, '../../docs/spec-statements.md');

/**
 * Parses docs/spec-statements.md: `## section`, `- statement`, and below it `  - file: words`, `  -
 * absent: why`, or `  - differs: how`.
 */
export function readStatements(text = readFileSync(statementsFile, 'utf8')): Statement[] {
  const statements: Statement[] = [];
  let section = '';
  for (const line of text.split('\n')) {
    const [, title] = /^## (.*)$/.exec(line) ?? [];
    const [, says] = /^- (.*)$/.exec(line) ?? [];
    const [, file, words] = /^ {2}- ([^:]+): (.*)$/.exec(line) ?? [];
    if (title !== undefined) section = title;
    if (says !== undefined)
      statements.push({ section, says, tests: [], absent: null, differs: null });
    const last = statements.at(-1);
    if (file === undefined || words === undefined || last === undefined) continue;
    if (file === 'absent' || file === 'differs') last[file] = words;
    else last.tests.push({ file, words });
  }
  return statements;
}
