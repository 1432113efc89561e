import { lazy, Suspense, useEffect } from 'react';
import { useAuth } from '#web/auth/auth-provider.tsx';
import { currentCall } from '#web/calls/kept-call.ts';
import { useStore } from '#web/meet/use-store.ts';

// Loaded with the first call's page, not with the dashboard.
const MiniCall = lazy(() => import('#web/calls/mini-call.tsx'));

/** Rendered above the pages, so that a call continues when its page is left. */
export function CallHost() {
  const { call } = useStore(currentCall);
  const isSignedOut = useAuth().status === 'signed-out';
  useEffect(() => {
    if (isSignedOut) call?.close();
  }, [isSignedOut, call]);
  if (call === null || isSignedOut) return null;
  return (
    <Suspense>
      <MiniCall call={call} />
    </Suspense>
  );
}
