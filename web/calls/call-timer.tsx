import '#web/platform/call-texts.ts';
import { formatElapsed } from '#domain/calls/rules.ts';
import { t } from '#web/platform/texts.ts';
import { useNow } from '#web/platform/use-now.ts';

/** The time since the call started; null while no one has joined it. */
export function CallTimer({ startedAt }: { startedAt: string | null }) {
  const now = useNow(1000);
  const seconds = startedAt === null ? 0 : (now - Date.parse(startedAt)) / 1000;
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
