import { t } from '#web/platform/texts.ts';
import { Badge } from '#web/ui/badge.tsx';

/** Marks a completed call without a guest. */
export function InternalMark({ shown = false }: { shown?: boolean | undefined }) {
  if (!shown) return null;
  return (
    <span title={t('calls.internalText')}>
      <Badge look="secondary">{t('calls.internal')}</Badge>
    </span>
  );
}
