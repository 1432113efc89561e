import { Hourglass } from 'lucide-react';
import { lazy, Suspense, useEffect, useRef } from 'react';
import type { OpenedRoom } from '#domain/rooms/contract.ts';
import {
  frameAddress,
  isSimulated,
  nameFrame,
  openFrame,
  tellMeeting,
} from '#web/calls/call-frame.ts';
import { SimulatedCall } from '#web/calls/simulated-call.tsx';
import { useFramePlace } from '#web/calls/use-frame-place.ts';
import { t } from '#web/platform/texts.ts';
import { useTheme } from '#web/platform/theme.ts';

const HostedFrame = lazy(() => import('#web/calls/hosted-frame.tsx'));

interface VideoAreaProps {
  room: Pick<OpenedRoom, 'id' | 'dailyUrl' | 'meetingToken' | 'panelToken'> | undefined;
  /** A viewer joins only once there is a call. */
  isWaiting?: boolean;
}

/** The area over which the call's frame appears; the frame itself is outside the application. */
export function VideoArea({ room, isWaiting = false }: VideoAreaProps) {
  return (
    <div className="relative min-h-0 bg-stage text-white">
      <VideoContent room={room} isWaiting={isWaiting} />
    </div>
  );
}

function VideoContent({ room, isWaiting }: Required<VideoAreaProps>) {
  if (isWaiting) return <Waiting />;
  if (room?.meetingToken && isSimulated(room.dailyUrl)) return <SimulatedCall />;
  const address = room ? frameAddress(room) : null;
  if (address) return <FramePlace address={address} />;
  if (room?.panelToken)
    return (
      <Suspense fallback={<LoadingVideo />}>
        <HostedFrame room={room} />
      </Suspense>
    );
  return <LoadingVideo />;
}

function LoadingVideo() {
  return (
    <p role="status" className="absolute inset-0 grid place-items-center text-sm text-white/70">
      {t('call.loadingVideo')}
    </p>
  );
}

function Waiting() {
  return (
    <div
      role="status"
      className="absolute inset-0 grid place-content-center justify-items-center gap-3 p-6 text-center"
    >
      <Hourglass aria-hidden className="size-6 text-white/60" />
      <p className="text-sm font-medium">{t('call.waiting')}</p>
      <p className="max-w-xs text-sm text-white/65">{t('call.waitingText')}</p>
    </div>
  );
}

function FramePlace({ address }: { address: string }) {
  const open = () => {
    openFrame(address);
    nameFrame(t('call.frameTitle'));
  };
  const { place } = useFramePlace(address, open);
  const theme = useTheme();
  const shown = useRef(theme);
  useEffect(() => {
    // The server wrote the theme into the page, so only a later choice is sent.
    if (shown.current === theme) return;
    shown.current = theme;
    tellMeeting({ rapport: 1, type: 'theme', theme });
  }, [theme]);
  return <div ref={place} className="absolute inset-0" />;
}
