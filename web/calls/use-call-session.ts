import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { OpenedRoom } from '#domain/rooms/contract.ts';
import { useUser } from '#web/auth/auth-provider.tsx';
import { useMay } from '#web/auth/use-may.ts';
import { CallSession } from '#web/calls/call-session.ts';
import { openWire } from '#web/calls/panel-socket.ts';
import { refreshCalls } from '#web/calls/queries.ts';
import { UnsavedEditsStore } from '#web/calls/unsaved-edits.ts';
import { forgetBootRoom } from '#web/calls/use-opened-room.ts';
import { openStorage } from '#web/meet/open-storage.ts';
import { t } from '#web/platform/texts.ts';
import { serverMessage, toastFailure } from '#web/platform/toast-failure.ts';

const failureTexts = { start: t('call.createFailed'), update: t('call.updateFailed') };

/** Opens a session for as long as the page shows the room. */
export function useCallSession(room: OpenedRoom): CallSession {
  const { id } = useUser();
  const mayEdit = useMay('calls.update');
  const queryClient = useQueryClient();
  const [session] = useState(
    () =>
      new CallSession({
        room,
        mayEdit,
        unsaved: new UnsavedEditsStore(
          openStorage(() => localStorage),
          id,
        ),
        openWire,
        newId: () => Math.random().toString(36).slice(2),
        // A plan's limit and the like say themselves what to do.
        onFailure: (what, error) => toastFailure(error, serverMessage(error, failureTexts[what])),
        onEnded: (call) =>
          void import('#web/ai/generate-at-end.ts').then(({ generateAtEnd }) =>
            generateAtEnd(queryClient, call, room.playbook?.title ?? null),
          ),
      }),
  );
  useEffect(() => {
    const there = () => session.networkIs(true);
    const gone = () => session.networkIs(false);
    const keep = () => session.edits.notes.flush();
    session.open();
    window.addEventListener('online', there);
    window.addEventListener('offline', gone);
    window.addEventListener('pagehide', keep);
    return () => {
      window.removeEventListener('online', there);
      window.removeEventListener('offline', gone);
      window.removeEventListener('pagehide', keep);
      session.close();
      forgetBootRoom();
      void refreshCalls(queryClient);
    };
  }, [session, queryClient]);
  return session;
}
