import { Navigate } from 'react-router';
import { useAuth } from '#web/auth/auth-provider.tsx';
import { t } from '#web/platform/texts.ts';
import { Spinner } from '#web/ui/spinner.tsx';

/** `/` until the public pages are there. */
export function HomeRedirect() {
  const { status } = useAuth();
  if (status === 'loading') return <Spinner label={t('common.loading')} />;
  return <Navigate to={status === 'signed-in' ? '/app' : '/auth'} replace />;
}
