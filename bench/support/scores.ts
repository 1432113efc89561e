import type { Measured } from '../report.ts';
import { median } from '../statistics.ts';
import { type Category, type LighthouseReport, lostPoints, pointsOf } from './lighthouse.ts';

const leastScore = 95;
export const allCategories = ['performance', 'accessibility', 'best-practices', 'seo'] as const;

/** Returns a page's points in some of Lighthouse's categories, each the median of the runs. */
export function scores(
  page: string,
  categories: readonly Category[],
  reports: readonly LighthouseReport[],
): Measured[] {
  return categories.map((name) => {
    const value = median(reports.map((report) => pointsOf(report, name)));
    const lost = new Set(reports.flatMap((report) => lostPoints(report, name)));
    return {
      name: `${page} ${name}`,
      unit: 'points',
      ours: value,
      peer: null,
      value,
      limit: { at: 'least', value: leastScore, text: `≥ ${leastScore}` },
      note: [`median of ${reports.length}`, ...lost].join(', '),
    };
  });
}
