import '#web/platform/call-texts.ts';
import { Smile } from 'lucide-react';
import type { Analytics } from '#domain/analytics/contract.ts';
import { FiguresCard } from '#web/analytics/figures-card.tsx';
import { NpsBar } from '#web/analytics/nps-bar.tsx';
import { type NpsShare, npsShares } from '#web/analytics/nps-shares.ts';
import { useCallFilter } from '#web/calls/use-call-filter.ts';
import { t } from '#web/platform/texts.ts';
import { type Column, Table } from '#web/ui/table.tsx';

const columns: Column<NpsShare>[] = [
  { title: t('analytics.insights.group'), cell: ({ title }) => title },
  { title: t('analytics.insights.scores'), cell: ({ scores }) => scores },
  { title: t('analytics.insights.count'), cell: ({ count }) => count, align: 'end' },
  {
    title: t('analytics.insights.share'),
    cell: ({ percent }) => t('dashboard.percent', { value: percent }),
    align: 'end',
  },
];

export function CustomerInsights() {
  const title = t('analytics.insights.title');
  const { hasFigureFilter } = useCallFilter();
  return (
    <FiguresCard
      title={title}
      empty={{
        icon: Smile,
        title: t(hasFigureFilter ? 'analytics.insights.noneOfFilter' : 'analytics.insights.none'),
        text: t(hasFigureFilter ? 'calls.filter.noneText' : 'analytics.insights.noneText'),
      }}
      isEmpty={({ nps }) => nps.score === null}
      chart={({ nps }) => (
        <div className="grid gap-6 p-5">
          <NpsProper score={nps.score} />
          <NpsBar shares={npsShares(nps)} />
        </div>
      )}
      table={({ nps }) => (
        <>
          <Table label={title} columns={columns} rows={npsShares(nps)} keyOf={({ kind }) => kind} />
          <div className="border-t p-5">
            <NpsProper score={nps.score} />
          </div>
        </>
      )}
    />
  );
}

function NpsProper({ score }: { score: Analytics['nps']['score'] }) {
  return (
    <dl className="grid gap-0.5">
      <dt className="text-xs font-medium text-muted-foreground">{t('analytics.insights.nps')}</dt>
      <dd className="text-2xl font-semibold tracking-tight tabular-nums">
        {score ?? t('common.missing')}
      </dd>
      <dd className="text-xs text-muted-foreground">{t('analytics.insights.npsText')}</dd>
    </dl>
  );
}
