import { VideoOff } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import * as z from 'zod/mini';
import { fromMeeting } from '#domain/calls/frame-messages.ts';
import { type OpenedRoom, openRoom } from '#domain/rooms/contract.ts';
import {
  closeFrame,
  nameFrame,
  onMeetingMessage,
  openHostedFrame,
  placeFrame,
} from '#web/calls/call-frame.ts';
import { HostedCall, recordedCall } from '#web/calls/hosted-call.ts';
import { useFramePlace } from '#web/calls/use-frame-place.ts';
import { type HostedFailure, hostedFailure } from '#web/meet/hosted/daily-failure.ts';
import { RecordingBar } from '#web/meet/hosted/recording-bar.tsx';
import { useStore } from '#web/meet/use-store.ts';
import { request } from '#web/platform/api.ts';
import { t } from '#web/platform/texts.ts';
import { redirectWhenUnauthorized } from '#web/platform/unauthorized.ts';
import { Button } from '#web/ui/button.tsx';

interface HostedFrameProps {
  room: Pick<OpenedRoom, 'id' | 'dailyUrl' | 'meetingToken' | 'panelToken'>;
}

/**
 * The place of a hosted page. If it fails, the panel beside it keeps working: the page shows the
 * problem, and retries with a new token. An expired token is replaced once without a message.
 */
export default function HostedFrame({ room }: HostedFrameProps) {
  const [failure, setFailure] = useState<HostedFailure | null>(null);
  const [isTrying, setIsTrying] = useState(false);
  const renewed = useRef(false);

  async function tryAgain() {
    setIsTrying(true);
    try {
      const entrance = await request(openRoom, { params: { id: room.id } });
      setFailure(null);
      closeFrame();
      open(entrance);
    } catch (error) {
      redirectWhenUnauthorized(error);
      setFailure('unreachable');
    } finally {
      setIsTrying(false);
    }
  }

  const hear = useEffectEvent((data: unknown) => {
    const { data: message } = z.safeParse(fromMeeting, data);
    if (message?.type === 'joined') renewed.current = false;
    if (message?.type !== 'failed') return;
    const { data: how = 'broken' } = z.safeParse(hostedFailure, message.code);
    if (how === 'expired' && !renewed.current) {
      renewed.current = true;
      void tryAgain();
    } else setFailure(how);
  });
  // When this page is shown again, the call may already be open in its small window.
  const { place, put } = useFramePlace(room.id, () => open(room));
  useEffect(() => onMeetingMessage(hear), []);
  useEffect(() => {
    if (failure !== null) placeFrame(nowhere);
    else put();
  });
  const { recording } = useStore(recordedCall);
  return (
    <div className="absolute inset-0 flex flex-col">
      {recording && <RecordingBar recording={recording} />}
      <div ref={place} className="relative min-h-0 flex-1">
        {failure && (
          <Failed failure={failure} isTrying={isTrying} onRetry={() => void tryAgain()} />
        )}
      </div>
    </div>
  );
}

function open(room: HostedFrameProps['room']): void {
  const entrance = { ...room, panelToken: room.panelToken ?? '' };
  openHostedFrame(room.id, (frame, say) => new HostedCall(frame, entrance, say));
  nameFrame(t('call.frameTitle'));
}

/** Hides the frame of a failed page. */
const nowhere = { top: 0, left: 0, width: 0, height: 0 };

interface FailedProps {
  failure: HostedFailure;
  isTrying: boolean;
  onRetry: () => void;
}

function Failed({ failure, isTrying, onRetry }: FailedProps) {
  return (
    <div
      role="alert"
      className="absolute inset-0 grid place-content-center justify-items-center gap-3 p-6 text-center"
    >
      <VideoOff aria-hidden className="size-6 text-white/60" />
      <p className="text-sm font-medium">{t(`call.hosted.${failure}`)}</p>
      <p className="max-w-xs text-sm text-white/70">{t(`call.hosted.${failure}Text`)}</p>
      <Button size="small" onClick={onRetry} disabled={isTrying}>
        {t('common.tryAgain')}
      </Button>
    </div>
  );
}
