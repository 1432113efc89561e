import type { ReactNode } from 'react';
import { Navigate, useLocation } from 'react-router';
import { useAuth } from '#web/auth/auth-provider.tsx';
import { signInPath } from '#web/auth/next-path.ts';
import { t } from '#web/platform/texts.ts';
import { FailedState } from '#web/ui/failed-state.tsx';
import { Spinner } from '#web/ui/spinner.tsx';

/** Shows its children to signed-in people only. */
export function Guard({ children }: { children: ReactNode }) {
  const auth = useAuth();
  const location = useLocation();
  switch (auth.status) {
    case 'loading':
      return <Spinner label={t('common.loading')} />;
    case 'failed':
      return (
        <FailedState
          title={t('common.loadFailed')}
          text={auth.error.message}
          retryLabel={t('common.tryAgain')}
          onRetry={auth.retry}
        />
      );
    case 'signed-out':
      return <Navigate to={signInPath(location)} replace />;
    case 'signed-in':
      return children;
  }
}
