import { useQueryClient } from '@tanstack/react-query';
import { WifiOff } from 'lucide-react';
import { useEffect, useSyncExternalStore } from 'react';
import { t } from '#web/platform/texts.ts';
import { timeAgo } from '#web/platform/time-ago.ts';
import { useNow } from '#web/platform/use-now.ts';

/** Stands above a page while the browser has no network, and says how old the page's data are. */
export function OfflineBanner() {
  const isOnline = useSyncExternalStore(onNetwork, () => navigator.onLine);
  return isOnline ? null : <Offline />;
}

function onNetwork(changed: () => void): () => void {
  const over = new AbortController();
  for (const type of ['online', 'offline'])
    window.addEventListener(type, changed, { signal: over.signal });
  return () => over.abort();
}

function Offline() {
  const queryClient = useQueryClient();
  const now = useNow(10_000);
  // Back online: what is shown is read again.
  useEffect(() => () => void queryClient.refetchQueries({ type: 'active' }), [queryClient]);
  const readAt = queryClient
    .getQueryCache()
    .findAll({ type: 'active' })
    .map(({ state }) => state.dataUpdatedAt)
    .filter((time) => time > 0);
  const age =
    readAt.length > 0 && timeAgo(new Date(Math.min(...readAt)).toISOString(), new Date(now));
  return (
    <div
      role="status"
      className="mb-6 flex items-center gap-3 rounded-lg border bg-card px-4 py-3 text-sm print:hidden"
    >
      <WifiOff aria-hidden className="size-4 shrink-0 text-muted-foreground" />
      <p className="min-w-0 flex-1">
        {t('shell.offline')} {age ? t('shell.offlineSince', { time: age }) : t('shell.offlineNow')}
      </p>
    </div>
  );
}
