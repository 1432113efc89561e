import type { ReactNode } from 'react';
import {
  Bar,
  BarChart,
  CartesianGrid,
  Line,
  LineChart,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts';
import type { Analytics } from '#domain/analytics/contract.ts';
import { formatDay } from '#web/analytics/format-day.ts';
import { trendsSummary } from '#web/analytics/trends-summary.ts';
import { useCallFilter } from '#web/calls/use-call-filter.ts';
import { t } from '#web/platform/texts.ts';

type Days = Analytics['trends'];

// The brand color may be too pale on the card; this color is legible in light and dark.
const ink = 'var(--ring)';
// The same for both charts, so that their days align.
const frame = {
  syncId: 'trends',
  accessibilityLayer: false,
  margin: { top: 8, right: 8, bottom: 0, left: 0 },
};
const axis = {
  tickLine: false,
  axisLine: false,
  tick: { fill: 'var(--muted-foreground)', fontSize: 12 },
};
const grid = <CartesianGrid vertical={false} stroke="var(--border)" />;
const days = (
  <XAxis
    {...axis}
    dataKey="date"
    tickFormatter={formatDay}
    minTickGap={28}
    interval="preserveStartEnd"
  />
);
const tooltip = (
  <Tooltip
    isAnimationActive={false}
    cursor={{ fill: 'var(--muted)', stroke: 'var(--border)' }}
    labelFormatter={(date) => formatDay(String(date))}
    contentStyle={{
      background: 'var(--raised)',
      border: '1px solid var(--border)',
      borderRadius: 'var(--radius)',
      fontSize: '0.8125rem',
    }}
    labelStyle={{ color: 'var(--muted-foreground)' }}
    itemStyle={{ color: 'var(--foreground)' }}
  />
);

function Chart({ title, children }: { title: string; children: ReactNode }) {
  // When the window becomes narrower, a grid's cell would keep the width of the chart in it, and a tooltip its place.
  return (
    <div className="min-w-0 overflow-x-clip">
      <h3 className="mb-2 px-1 text-xs font-medium text-muted-foreground">{title}</h3>
      <ResponsiveContainer width="100%" height={150}>
        {children}
      </ResponsiveContainer>
    </div>
  );
}

/**
 * Calls and their average duration for each day. Two charts, since a common axis would suggest a
 * relation.
 */
export function TrendsChart({ days: given }: { days: Days }) {
  const { period } = useCallFilter().chosen;
  // A day without calls to average has none: the line skips it instead of falling to zero.
  const points = given.map((day) => ({
    ...day,
    avgDuration: day.averagedCalls ? day.avgDuration : null,
  }));
  return (
    <div role="img" aria-label={trendsSummary(given, period !== '')} className="grid gap-5 p-4">
      <Chart title={t('analytics.trends.calls')}>
        <BarChart {...frame} data={points}>
          {grid}
          {days}
          <YAxis {...axis} width={32} allowDecimals={false} />
          {tooltip}
          <Bar
            dataKey="calls"
            name={t('analytics.trends.calls')}
            fill={ink}
            radius={[3, 3, 0, 0]}
            isAnimationActive={false}
          />
        </BarChart>
      </Chart>
      <Chart title={t('analytics.trends.avgDurationMinutes')}>
        <LineChart {...frame} data={points}>
          {grid}
          {days}
          <YAxis {...axis} width={32} />
          {tooltip}
          <Line
            dataKey="avgDuration"
            name={t('analytics.trends.avgDurationMinutes')}
            stroke={ink}
            strokeWidth={2}
            dot={{ r: 2.5, fill: ink }}
            connectNulls
            isAnimationActive={false}
          />
        </LineChart>
      </Chart>
    </div>
  );
}
