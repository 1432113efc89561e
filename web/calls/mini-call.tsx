import '#web/platform/call-texts.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useMay } from '#web/auth/use-may.ts';
import type { KeptCall } from '#web/calls/kept-call.ts';
import { MiniWindow } from '#web/calls/mini-window.tsx';
import { NpsDialog } from '#web/calls/nps-dialog.tsx';
import { refreshCalls } from '#web/calls/queries.ts';
import { useStore } from '#web/meet/use-store.ts';
import { t } from '#web/platform/texts.ts';
import { toast } from '#web/ui/toast-store.ts';

/** The call while another page is shown, and its score when it ends there. Loaded separately. */
export default function MiniCall({ call }: { call: KeptCall }) {
  const { isAway } = useStore(call);
  const { phase } = useStore(call.session);
  if (!isAway) return null;
  return phase === 'over' ? <AfterMiniCall call={call} /> : <MiniWindow call={call} />;
}

function AfterMiniCall({ call: kept }: { call: KeptCall }) {
  const { call, ending } = useStore(kept.session);
  const queryClient = useQueryClient();
  const mayRate = useMay('calls.update');
  const rated = mayRate && call && call.joined !== false ? call.id : null;
  useEffect(() => {
    if (ending === 'ended') toast({ title: t('call.ended'), description: t('call.endedText') });
    void refreshCalls(queryClient);
    if (rated === null) kept.close();
  }, [kept, ending, rated, queryClient]);
  return rated && <NpsDialog callId={rated} onDone={() => kept.close()} />;
}
