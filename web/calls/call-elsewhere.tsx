import { PhoneCall } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import type { KeptCall } from '#web/calls/kept-call.ts';
import { t } from '#web/platform/texts.ts';
import { callPath } from '#web/rooms/paths.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';

/** The page of another room while this tab is in a call: one call at a time. */
export function CallElsewhere({ call, topic }: { call: KeptCall; topic: string }) {
  const [isLeaving, setLeaving] = useState(false);
  const leave = () => {
    setLeaving(true);
    void call.leave(false).then(() => call.close());
  };
  return (
    <div className="grid min-h-dvh place-items-center">
      <EmptyState
        icon={PhoneCall}
        title={<h1>{t('call.elsewhere.title')}</h1>}
        text={t('call.elsewhere.text', { topic })}
        action={
          <div className="flex flex-wrap justify-center gap-2">
            <Link to={callPath(call.getSnapshot().room.id)} className={buttonClass()}>
              {t('call.elsewhere.back')}
            </Link>
            <Button look="outline" disabled={isLeaving} onClick={leave}>
              {t('call.elsewhere.leave')}
            </Button>
          </div>
        }
      />
    </div>
  );
}
