import { t } from '#web/platform/texts.ts';
import { Badge } from '#web/ui/badge.tsx';

export function CallStatus({ endedAt }: { endedAt: string | null }) {
  return endedAt ? (
    <Badge look="outline">{t('calls.completed')}</Badge>
  ) : (
    <Badge look="success">{t('calls.inProgress')}</Badge>
  );
}
