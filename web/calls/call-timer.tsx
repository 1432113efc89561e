import { formatElapsed } from '#domain/calls/rules.ts';
import { t } from '#web/platform/texts.ts';
import { useNow } from '#web/platform/use-now.ts';

/** The time since the call started. */
export function CallTimer({ startedAt }: { startedAt: string }) {
  const seconds = (useNow(1000) - Date.parse(startedAt)) / 1000;
  return (
    <span
      role="timer"
      aria-label={t('call.elapsed')}
      className="text-xs text-muted-foreground tabular-nums"
    >
      {formatElapsed(seconds)}
    </span>
  );
}
