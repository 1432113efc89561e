import type { Analytics } from '#domain/analytics/contract.ts';
import { percentsOf } from '#web/analytics/percents.ts';
import { t } from '#web/platform/texts.ts';

/** Best first. Spec section 9, NPS buckets. */
const kinds = ['promoters', 'passives', 'detractors'] as const;

export interface NpsShare {
  kind: (typeof kinds)[number];
  title: string;
  /** '9-10' */
  scores: string;
  count: number;
  percent: number;
}

export function npsShares(nps: Analytics['nps']): NpsShare[] {
  const percents = percentsOf(kinds.map((kind) => nps[kind]));
  return kinds.map((kind, at) => ({
    kind,
    title: t(`analytics.insights.${kind}`),
    scores: t(`analytics.insights.scoresOf.${kind}`),
    count: nps[kind],
    percent: percents[at] ?? 0,
  }));
}
