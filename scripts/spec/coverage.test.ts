import { expect, test } from 'vitest';
import { coverage } from './coverage.ts';
import { readStatements } from './statements.ts';

const names = new Map([['a.test.ts', ['signing in greets', 'signing out']]]);
const written = (text: string) => coverage(readStatements(text), names);

test('statements that are shown, that differ, and that are absent are distinguished', () => {
  const { page, problems } = written(`## Auth
- Login greets
  - a.test.ts: signing in
- Logout shows a toast
  - a.test.ts: signing out
  - differs: it is only logged
- A payment form
  - absent: there is no card provider
`);
  expect(problems).toEqual([]);
  expect(page).toContain('3 statements, 2 shown by tests, 1 not there yet.');
  expect(page).toContain('  - differs on purpose: it is only logged');
  expect(page).toContain('- A payment form\n  - not there yet: there is no card provider');
});

test.each([
  ['without a test', '', 'no test shows: X'],
  ['with a test that does not exist', '  - a.test.ts: nothing', 'no test in a.test.ts is named'],
  ['that is absent and tested', '  - a.test.ts: signing in\n  - absent: why', 'but tested: X'],
])('a statement %s is a problem', (_, lines, problem) => {
  expect(written(`## Auth\n- X\n${lines}`).problems.join()).toContain(problem);
});
