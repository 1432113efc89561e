import { clsx } from 'clsx';
import { Maximize2, Mic, MicOff, Minus, Move, PictureInPicture2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { useMay } from '#web/auth/use-may.ts';
import { CallTimer } from '#web/calls/call-timer.tsx';
import type { KeptCall } from '#web/calls/kept-call.ts';
import { LeaveControl, othersInCall } from '#web/calls/leave-control.tsx';
import { readCorner, rememberCorner } from '#web/calls/mini-corner.ts';
import { useFramePlace } from '#web/calls/use-frame-place.ts';
import { cornerBeside, nextCorner } from '#web/meet/stage/corner.ts';
import { useDrag } from '#web/meet/stage/use-drag.ts';
import { useStore } from '#web/meet/use-store.ts';
import { t } from '#web/platform/texts.ts';
import { callPath } from '#web/rooms/paths.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';

const places = {
  'top-left': 'top-16 left-3 md:left-64',
  'top-right': 'top-16 right-3',
  'bottom-right': 'right-3 bottom-3',
  'bottom-left': 'bottom-3 left-3 md:left-64',
};
const viewport = () => ({ left: 0, top: 0, width: innerWidth, height: innerHeight });

/** The call as a small window in a corner; a pointer or the arrow keys move it to another one. */
export function MiniWindow({ call }: { call: KeptCall }) {
  const { room, isMinimised, isJoined, waiting } = useStore(call);
  const { call: running } = useStore(call.session);
  const [corner, setCorner] = useState(readCorner);
  const { place, put } = useFramePlace(`${corner} ${isMinimised} ${isJoined}`);
  const moveTo = (next: typeof corner) => {
    setCorner(next);
    rememberCorner(next);
  };
  const drag = useDrag(moveTo, { area: viewport, onMove: put });
  return (
    <section
      aria-label={t('call.mini.label', { topic: room.topic })}
      data-corner={corner}
      className={clsx(
        'fixed z-30 w-52 cursor-grab touch-none rounded-xl border bg-card shadow-xl select-none data-dragged:cursor-grabbing sm:w-72 print:hidden',
        places[corner],
      )}
      {...drag}
    >
      <header className="flex items-center gap-1 py-1 pr-1 pl-3">
        <div className="min-w-0 flex-1">
          <p className="truncate text-sm font-medium" title={room.topic}>
            {room.topic}
          </p>
          {running && <CallTimer startedAt={running.startedAt} />}
        </div>
        <Control
          label={t('call.mini.move')}
          onClick={() => moveTo(nextCorner(corner))}
          onKey={(key) => key.startsWith('Arrow') && moveTo(cornerBeside(corner, key))}
        >
          <Move aria-hidden className="size-4" />
        </Control>
        <Control
          label={t(isMinimised ? 'call.mini.unfold' : 'call.mini.fold')}
          onClick={() => call.minimise(!isMinimised)}
        >
          {isMinimised ? (
            <PictureInPicture2 aria-hidden className="size-4" />
          ) : (
            <Minus aria-hidden className="size-4" />
          )}
        </Control>
      </header>
      {!isMinimised && (
        <div className="relative aspect-video bg-stage">
          <div ref={place} className={clsx('absolute inset-0', !isJoined && 'invisible')} />
          {!isJoined && (
            <p
              role="status"
              className="absolute inset-0 grid place-items-center p-3 text-center text-sm text-white"
            >
              {t('call.mini.interrupted')}
            </p>
          )}
        </div>
      )}
      {waiting > 0 && (
        <p role="status" className="border-t px-3 py-1.5 text-xs">
          {t('call.mini.waiting', { count: waiting })}
        </p>
      )}
      <Controls call={call} />
    </section>
  );
}

function Controls({ call }: { call: KeptCall }) {
  const { room, microphoneOn } = useStore(call);
  const { roster } = useStore(call.session);
  const mayEnd = useMay('calls.update');
  return (
    <div className="flex items-center justify-center gap-2 border-t p-1.5">
      {microphoneOn !== null && (
        <Control
          label={t(microphoneOn ? 'call.mini.mute' : 'call.mini.unmute')}
          onClick={() => call.turnMicrophone(!microphoneOn)}
        >
          {microphoneOn ? (
            <Mic aria-hidden className="size-4" />
          ) : (
            <MicOff aria-hidden className="size-4 text-destructive" />
          )}
        </Control>
      )}
      <Link
        to={callPath(room.id)}
        aria-label={t('call.mini.back')}
        title={t('call.mini.back')}
        className={buttonClass({ look: 'ghost', size: 'icon' })}
      >
        <Maximize2 aria-hidden className="size-4" />
      </Link>
      <LeaveControl
        small
        others={mayEnd ? othersInCall(roster) : 'none'}
        onLeave={(forEveryone) => void call.leave(forEveryone)}
      />
    </div>
  );
}

interface ControlProps {
  label: string;
  onClick: () => void;
  onKey?: (key: string) => void;
  children: ReactNode;
}

function Control({ label, onClick, onKey, children }: ControlProps) {
  return (
    <Button
      look="ghost"
      size="icon"
      aria-label={label}
      title={label}
      onClick={onClick}
      onKeyDown={(event) => onKey?.(event.key)}
    >
      {children}
    </Button>
  );
}
