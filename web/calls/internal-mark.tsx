import type { Call } from '#domain/calls/contract.ts';
import { t } from '#web/platform/texts.ts';
import { Badge } from '#web/ui/badge.tsx';

/** Marks a completed call without a guest. */
export function InternalMark({ call }: { call: Pick<Call, 'internal'> }) {
  if (!call.internal) return null;
  return (
    <span title={t('calls.internalText')}>
      <Badge look="secondary">{t('calls.internal')}</Badge>
    </span>
  );
}
