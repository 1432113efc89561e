import { t } from '#web/platform/texts.ts';
import { Badge } from '#web/ui/badge.tsx';

/** Marks a call under legal hold, so that who would change it learns that before. */
export function HeldMark({ shown = false }: { shown?: boolean | undefined }) {
  if (!shown) return null;
  return (
    <span title={t('calls.heldText')}>
      <Badge look="secondary">{t('calls.held')}</Badge>
    </span>
  );
}
