import { t } from '#web/platform/texts.ts';
import { Badge } from '#web/ui/badge.tsx';

/** Marks a room, a playbook, or a call of the sample data. */
export function SampleMark({ shown = false }: { shown?: boolean | undefined }) {
  if (!shown) return null;
  return (
    <span title={t('samples.markText')}>
      <Badge look="outline">{t('samples.mark')}</Badge>
    </span>
  );
}
