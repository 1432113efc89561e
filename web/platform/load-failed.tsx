import { t } from '#web/platform/texts.ts';
import { FailedState } from '#web/ui/failed-state.tsx';

interface LoadFailedProps {
  error: Error;
  /** Asks again, as `refetch` of a query does. */
  onRetry: () => unknown;
  title?: string;
}

/** Shown instead of content that could not be loaded. */
export function LoadFailed({ error, onRetry, title = t('common.loadFailed') }: LoadFailedProps) {
  return (
    <FailedState
      title={title}
      text={error.message}
      retryLabel={t('common.tryAgain')}
      onRetry={() => void onRetry()}
    />
  );
}
