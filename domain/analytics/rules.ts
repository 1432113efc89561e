/** Sums of one period, from which the dashboard's figures are calculated. */
export interface PeriodTotals {
  calls: number;
  endedCalls: number;
  durationSec: number;
  checklistItems: number;
  checkedItems: number;
  scores: number;
  scoreSum: number;
}

const oneDecimal = (value: number) => Math.round(value * 10) / 10;

/** Returns the dashboard's figures (docs/product-decisions.md, Numbers shown). */
export function figures(totals: PeriodTotals) {
  return {
    totalCalls: totals.calls,
    avgDuration:
      totals.endedCalls === 0 ? 0 : oneDecimal(totals.durationSec / totals.endedCalls / 60),
    checklistCompletion:
      totals.checklistItems === 0
        ? 0
        : Math.round((100 * totals.checkedItems) / totals.checklistItems),
    avgNpsScore: totals.scores === 0 ? null : oneDecimal(totals.scoreSum / totals.scores),
  };
}

/** Returns '+12%' or '-3%'; null when the earlier period has nothing to compare with. */
export function percentChange(now: number, before: number): string | null {
  if (before <= 0) return null;
  const percent = Math.round(((now - before) / before) * 100);
  return `${percent < 0 ? '-' : '+'}${Math.abs(percent)}%`;
}

/** Returns '+0.4' or '-0.2' in the figure's own unit; null when either period has no figure. */
export function pointChange(now: number | null, before: number | null): string | null {
  if (now === null || before === null) return null;
  const points = oneDecimal(now - before);
  return `${points < 0 ? '-' : '+'}${Math.abs(points)}`;
}

/** Returns the change texts of the four cards: the last 30 days compared with the 30 before. */
export function changes(last: PeriodTotals, before: PeriodTotals) {
  const now = figures(last);
  const then = figures(before);
  const bothHad = (a: number, b: number) => a > 0 && b > 0;
  return {
    totalCalls: percentChange(now.totalCalls, then.totalCalls),
    avgDuration: bothHad(last.endedCalls, before.endedCalls)
      ? percentChange(now.avgDuration, then.avgDuration)
      : null,
    checklistCompletion: bothHad(last.checklistItems, before.checklistItems)
      ? percentChange(now.checklistCompletion, then.checklistCompletion)
      : null,
    avgNpsScore: pointChange(now.avgNpsScore, then.avgNpsScore),
  };
}

/**
 * Returns the Net Promoter Score: percent of promoters minus percent of detractors; null without
 * scores.
 */
export function netPromoterScore(promoters: number, passives: number, detractors: number) {
  const all = promoters + passives + detractors;
  return all === 0 ? null : Math.round((100 * (promoters - detractors)) / all);
}
