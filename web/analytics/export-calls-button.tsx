import { Download } from 'lucide-react';
import { useExportCalls } from '#web/analytics/queries.ts';
import { t } from '#web/platform/texts.ts';
import { Button } from '#web/ui/button.tsx';

export function ExportCallsButton() {
  const { mutate, isPending } = useExportCalls();
  return (
    <Button look="outline" size="small" disabled={isPending} onClick={() => mutate()}>
      <Download aria-hidden className="size-4" />
      {isPending ? t('analytics.exporting') : t('analytics.export')}
    </Button>
  );
}
