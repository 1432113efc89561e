import '#web/platform/call-texts.ts';
import { Download } from 'lucide-react';
import type { CallFilter } from '#domain/calls/filter.ts';
import { useExportCalls } from '#web/analytics/queries.ts';
import { t } from '#web/platform/texts.ts';
import { Button } from '#web/ui/button.tsx';

export function ExportCallsButton({ filter }: { filter: CallFilter }) {
  const { mutate, isPending } = useExportCalls(filter);
  return (
    <Button look="outline" size="small" disabled={isPending} onClick={() => mutate()}>
      <Download aria-hidden className="size-4" />
      {isPending ? t('analytics.exporting') : t('analytics.export')}
    </Button>
  );
}
