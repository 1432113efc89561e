import { type ReactNode, useEffect } from 'react';
import { Navigate, useLocation } from 'react-router';
import { useAuth } from '#web/auth/auth-provider.tsx';
import { signInPath } from '#web/auth/next-path.ts';
import { LoadFailed } from '#web/platform/load-failed.tsx';
import { t } from '#web/platform/texts.ts';
import { Spinner } from '#web/ui/spinner.tsx';
import { toast } from '#web/ui/toast-store.ts';

interface GuardProps {
  /** The text of a toast for signed-out people; most pages only redirect to sign-in. */
  signedOutText?: string | undefined;
  children: ReactNode;
}

/** Renders its children for signed-in people only. */
export function Guard({ signedOutText, children }: GuardProps) {
  const auth = useAuth();
  const location = useLocation();
  switch (auth.status) {
    case 'loading':
      return <Spinner label={t('common.loading')} />;
    case 'failed':
      return <LoadFailed error={auth.error} onRetry={auth.retry} />;
    case 'signed-out':
      return <GoToSignIn to={signInPath(location)} text={signedOutText} />;
    case 'signed-in':
      return children;
  }
}

function GoToSignIn({ to, text }: { to: string; text: string | undefined }) {
  useEffect(() => {
    if (text) toast({ title: t('unauthorized.title'), description: text, tone: 'destructive' });
  }, [text]);
  return <Navigate to={to} replace />;
}
