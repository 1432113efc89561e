import { clsx } from 'clsx';
import type { NpsShare } from '#web/analytics/nps-shares.ts';
import { t } from '#web/platform/texts.ts';

const colors = {
  promoters: 'bg-success',
  passives: 'bg-warning',
  detractors: 'bg-destructive',
};

/** The shares as one bar, with a legend below: color alone is not accessible. */
export function NpsBar({ shares }: { shares: readonly NpsShare[] }) {
  return (
    <div className="grid gap-4">
      <div aria-hidden className="flex h-3 gap-0.5 overflow-hidden rounded-full">
        {shares.map(({ kind, count }) => (
          <div key={kind} className={colors[kind]} style={{ flexGrow: count }} />
        ))}
      </div>
      <ul className="grid gap-2.5">
        {shares.map(({ kind, title, scores, count, percent }) => (
          <li key={kind} className="flex items-center gap-2.5 text-sm">
            <span aria-hidden className={clsx('size-2.5 rounded-full', colors[kind])} />
            <span className="font-medium">{title}</span>
            <span className="text-muted-foreground">{scores}</span>
            <span className="ml-auto tabular-nums">{count}</span>
            <span className="w-11 text-right text-muted-foreground tabular-nums">
              {t('dashboard.percent', { value: percent })}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
