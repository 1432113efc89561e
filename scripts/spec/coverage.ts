import type { Statement } from './statements.ts';

export type Coverage = { page: string; problems: string[] };

/** Returns the page that lists which test shows which statement, and the problems that make it incomplete. */
export function coverage(
  statements: readonly Statement[],
  names: ReadonlyMap<string, readonly string[]>,
): Coverage {
  const problems: string[] = [];
  const lines = [...head(statements)];
  let section = '';
  for (const statement of statements) {
    if (statement.section !== section) {
      section = statement.section;
      lines.push('', `## ${section}`, '');
    }
    lines.push(`- ${statement.says}`);
    for (const { file, words } of statement.tests) {
      const found = (names.get(file) ?? []).filter((name) => name.includes(words));
      if (found.length === 0) problems.push(`no test in ${file} is named “… ${words} …”`);
      lines.push(...found.map((name) => `  - \`${file}\` ${oneLine(name)}`));
    }
    const { says, tests, absent, differs } = statement;
    if (differs !== null) lines.push(`  - differs on purpose: ${differs}`);
    if (absent !== null) lines.push(`  - not there yet: ${absent}`);
    if (absent === null && tests.length === 0) problems.push(`no test shows: ${says}`);
    if (absent !== null && tests.length > 0) problems.push(`not there yet, but tested: ${says}`);
  }
  return { page: `${lines.join('\n')}\n`, problems };
}

function head(statements: readonly Statement[]): string[] {
  const absent = statements.filter(({ absent }) => absent !== null).length;
  const differing = statements.filter(({ differs }) => differs !== null).length;
  return [
    '# Which test shows which statement of the specification',
    '',
    'Written by `npm run spec-coverage` from `spec-statements.md` and the names of the tests: do not edit.',
    `${statements.length} statements, ${statements.length - absent} shown by tests, ${absent} not there yet.`,
    `In ${differing} of those shown, the product differs on purpose.`,
  ];
}

const oneLine = (name: string) => name.replaceAll('\n', ' ');
