import { PhoneOff } from 'lucide-react';
import { useEffect } from 'react';
import { Link, useNavigate } from 'react-router';
import type { CallId } from '#domain/ids.ts';
import { NpsDialog } from '#web/calls/nps-dialog.tsx';
import { callDetailsPath, rateParam } from '#web/calls/paths.ts';
import { t } from '#web/platform/texts.ts';
import { returnTo } from '#web/platform/unauthorized.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';

interface AfterCallProps {
  /** Null if there is nothing to score. */
  callId: CallId | null;
  endedByOthers: boolean;
}

/** The page after the call, once it is over for this participant. */
export function AfterCall({ callId, endedByOthers }: AfterCallProps) {
  const navigate = useNavigate();
  // This address would join the call again: signing in again leads to the score instead.
  useEffect(() => {
    if (callId) returnTo(`${callDetailsPath(callId)}?${rateParam}`);
    return () => returnTo(null);
  }, [callId]);
  return (
    <div className="grid min-h-dvh place-items-center">
      <EmptyState
        icon={PhoneOff}
        title={<h1>{t(endedByOthers ? 'call.ended' : 'call.left')}</h1>}
        {...(endedByOthers ? { text: t('call.endedText') } : {})}
        action={
          <Link to="/app" className={buttonClass({ look: 'outline' })}>
            {t('notFound.home')}
          </Link>
        }
      />
      {callId && <NpsDialog callId={callId} onDone={() => navigate('/app')} />}
    </div>
  );
}
