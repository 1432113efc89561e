import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Frame, Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Not required by WCAG, but used by screen readers to navigate. */
const wayfinding = [
  'heading-order',
  'page-has-heading-one',
  'landmark-one-main',
  'landmark-unique',
  'empty-heading',
  'skip-link',
];
/** The rules of axe's category cat.color, at the levels below. */
const ofColors = ['color-contrast', 'link-in-text-block'];
const levels = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa'];

interface Found {
  violations: {
    id: string;
    help: string;
    nodes: { target: unknown[]; html: string; failureSummary?: string }[];
  }[];
}

/**
 * Returns axe's violations of WCAG 2.2 A and AA on the page as it is shown now: one line for each
 * element, with its rule. Frames are not included: pass each one separately. Bypasses the page's
 * Content-Security-Policy. `whole page` also requires the headings and landmarks of a whole
 * page; `colors` checks only the rules that may give another result in another theme.
 * Wait for the content and its animations first: a half-shown dialog has pale colors.
 */
export async function axeViolations(
  shown: Page | Frame,
  scope: 'part' | 'whole page' | 'colors' = 'part',
): Promise<string[]> {
  await shown.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        .filter(({ effect }) => effect?.getComputedTiming().iterations !== Infinity)
        .map(({ finished }) => finished.catch(() => {})),
    ),
  );
  if (!(await shown.evaluate(() => 'axe' in window))) await shown.evaluate(source);
  const rules = wayfinding.map((rule) => [rule, { enabled: scope === 'whole page' }]);
  const options = JSON.stringify({
    ...(scope === 'colors'
      ? { runOnly: { type: 'rule', values: ofColors } }
      : { runOnly: levels, rules: Object.fromEntries(rules) }),
    iframes: false,
    resultTypes: ['violations'],
  });
  const { violations } = await shown.evaluate<Found>(`axe.run(document, ${options})`);
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, html, failureSummary = '' }) =>
      [`${id} (${help}) at ${target.join(' ')}`, html.slice(0, 240), failureSummary].join('\n  '),
    ),
  );
}
