import '#web/platform/call-texts.ts';
import { AllCalls } from '#web/analytics/all-calls.tsx';
import { CallTrends } from '#web/analytics/call-trends.tsx';
import { CustomerInsights } from '#web/analytics/customer-insights.tsx';
import { FigureFilter } from '#web/calls/figure-filter.tsx';
import { MetricCards } from '#web/dashboard/metric-cards.tsx';
import { t } from '#web/platform/texts.ts';
import { PageHeader } from '#web/ui/page-header.tsx';

export function AnalyticsPage() {
  return (
    <>
      <title>{`${t('analytics.title')} · ${t('product')}`}</title>
      <PageHeader title={t('analytics.title')} subtitle={t('analytics.subtitle')} />
      <FigureFilter />
      <div className="grid grid-cols-1 gap-6">
        <MetricCards />
        <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
          <CallTrends />
          <CustomerInsights />
        </div>
        <AllCalls />
      </div>
    </>
  );
}
