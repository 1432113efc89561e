import '#web/platform/call-texts.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useLayoutEffect, useState } from 'react';
import type { OpenedRoom } from '#domain/rooms/contract.ts';
import { useUser } from '#web/auth/auth-provider.tsx';
import { useMay } from '#web/auth/use-may.ts';
import { CallSession } from '#web/calls/call-session.ts';
import { currentCall, KeptCall } from '#web/calls/kept-call.ts';
import { openWebSocket } from '#web/calls/panel-socket.ts';
import { refreshCalls } from '#web/calls/queries.ts';
import { UnsavedEditsStore } from '#web/calls/unsaved-edits.ts';
import { forgetBootRoom } from '#web/calls/use-opened-room.ts';
import { t } from '#web/platform/texts.ts';
import { serverMessage, toastFailure } from '#web/platform/toast-failure.ts';
import { openStorage } from '#web/storage/open-storage.ts';

const failureTexts = { start: t('call.createFailed'), update: t('call.updateFailed') };

/** The call of the page's room: the one that this tab is already in, or a new one. */
export function useKeptCall(
  room: OpenedRoom,
  newRoom: () => Promise<OpenedRoom | undefined>,
): KeptCall {
  const { id } = useUser();
  const mayEdit = useMay('calls.update');
  const queryClient = useQueryClient();
  const [call] = useState(() => {
    const { call: current } = currentCall.getSnapshot();
    if (current?.getSnapshot().room.id === room.id) return current;
    const session = new CallSession({
      room,
      mayEdit,
      unsaved: new UnsavedEditsStore(
        openStorage(() => localStorage),
        id,
      ),
      openWebSocket,
      newId: () => Math.random().toString(36).slice(2),
      // Some server messages, such as a plan's limit, already say what to do.
      onFailure: (what, error) => toastFailure(error, serverMessage(error, failureTexts[what])),
      onEnded: (ended) =>
        void import('#web/ai/generate-at-end.ts').then(({ generateAtEnd }) =>
          generateAtEnd(queryClient, ended, room.playbook?.title ?? null),
        ),
    });
    const onClosed = () => {
      forgetBootRoom();
      void refreshCalls(queryClient);
    };
    return new KeptCall({ room, session, newRoom, onClosed });
  });
  // Before painting, so that the small window takes over the video in the same frame.
  useLayoutEffect(() => {
    if (currentCall.getSnapshot().call === call) call.comeBack();
    else call.open();
    return () => call.goAway();
  }, [call]);
  return call;
}
