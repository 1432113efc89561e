import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Analytics } from '#domain/analytics/contract.ts';
import { ChartCard } from '#web/analytics/chart-card.tsx';
import { useAnalytics } from '#web/dashboard/queries.ts';
import { LoadFailed } from '#web/platform/load-failed.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

interface FiguresCardProps {
  title: string;
  empty: { icon: LucideIcon; title: string; text: string };
  isEmpty: (figures: Analytics) => boolean;
  chart: (figures: Analytics) => ReactNode;
  table: (figures: Analytics) => ReactNode;
}

/** A chart of the organization's figures, with its loading, failed, and empty states. */
export function FiguresCard({ title, empty, isEmpty, chart, table }: FiguresCardProps) {
  const { data, error, refetch } = useAnalytics();
  const shown = data && !isEmpty(data) ? { chart: chart(data), table: table(data) } : null;
  if (error)
    return (
      <ChartCard
        title={title}
        shown={null}
        instead={<LoadFailed error={error} onRetry={refetch} />}
      />
    );
  const instead = data ? <EmptyState {...empty} /> : <Skeleton className="m-5 h-72" />;
  return <ChartCard title={title} shown={shown} instead={instead} />;
}
