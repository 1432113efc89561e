import { ChartColumn, Table2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { t } from '#web/platform/texts.ts';
import { Button } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';

interface ChartCardProps {
  title: string;
  /** The chart, and the same figures as a table; null if there is nothing to show. */
  shown: { chart: ReactNode; table: ReactNode } | null;
  /** Shown instead while loading, after a failure, or without data. */
  instead: ReactNode;
}

export function ChartCard({ title, shown, instead }: ChartCardProps) {
  const [asTable, setAsTable] = useState(false);
  const Icon = asTable ? ChartColumn : Table2;
  return (
    <Card className="min-w-0">
      <CardHeader
        title={title}
        action={
          shown && (
            <Button
              look="ghost"
              size="small"
              aria-label={t(asTable ? 'analytics.chartOf' : 'analytics.tableOf', { title })}
              onClick={() => setAsTable(!asTable)}
            >
              <Icon aria-hidden className="size-4" />
              {t(asTable ? 'analytics.asChart' : 'analytics.asTable')}
            </Button>
          )
        }
      />
      {shown ? shown[asTable ? 'table' : 'chart'] : instead}
    </Card>
  );
}
