import { useEffect, useEffectEvent } from 'react';
import * as z from 'zod/mini';
import { type FromMeeting, fromMeeting } from '#domain/calls/live.ts';
import { onMeetingMessage } from '#web/calls/call-frame.ts';

/** Hears what the meeting in the frame says. */
export function useMeetingMessages(hear: (message: FromMeeting) => void): void {
  const onMessage = useEffectEvent(hear);
  useEffect(
    () =>
      onMeetingMessage((data) => {
        const message = z.safeParse(fromMeeting, data);
        if (message.success) onMessage(message.data);
      }),
    [],
  );
}
