import { useEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { countFloating } from '#web/media/shown/shown-videos.ts';
import { CameraSwitch, MicrophoneSwitch } from '../devices/switches.tsx';
import { Icon } from '../icons.tsx';
import type { Meeting } from '../meeting.ts';
import { initials } from '../own-name.ts';
import type { Speakers } from '../stage/speakers.ts';
import { makeVideoElement } from '../stage/video-element.ts';
import { text } from '../texts.ts';
import { useStore } from '../use-store.ts';
import { foreground } from './foreground.ts';

type FloatWindowProps = { window: Window; meeting: Meeting; speakers: Speakers };

/** The call in a small window: the active speaker, the self-view, and the most needed controls. */
export default function FloatWindow({ window: opened, meeting, speakers }: FloatWindowProps) {
  const state = useStore(meeting);
  const { active } = useStore(speakers);
  const { picture, wished } = useStore(meeting.media);
  const shown = foreground(state, active);
  const own = wished.video ? picture : null;
  return createPortal(
    <main className="float" aria-label={text('float.label')}>
      <h1 className="unseen">{state.room?.topic ?? text('float.label')}</h1>
      <div className="float-large">
        {shown === null ? (
          <p>{text('meeting.waiting')}</p>
        ) : (
          <>
            <span className="initials" aria-hidden="true">
              {initials(shown.name)}
            </span>
            {shown.stream && <FloatPicture stream={shown.stream} label={shown.name} />}
            <p className="plate">{shown.name}</p>
          </>
        )}
      </div>
      {own && (
        <div className="float-own">
          <FloatPicture stream={own} label={text('meeting.justYou')} mirrored />
        </div>
      )}
      <section className="float-controls" aria-label={text('controls.label')}>
        <MicrophoneSwitch media={meeting.media} />
        <CameraSwitch media={meeting.media} />
        <IconButton
          name="exitFullscreen"
          label={text('float.back')}
          onClick={() => opened.close()}
        />
        <IconButton name="leave" label={text('controls.leave')} onClick={() => meeting.leave()} />
      </section>
    </main>,
    opened.document.body,
  );
}

type IconButtonProps = { name: 'exitFullscreen' | 'leave'; label: string; onClick: () => void };

function IconButton({ name, label, onClick }: IconButtonProps) {
  return (
    <button
      type="button"
      className={name === 'leave' ? 'pill leave' : 'round'}
      aria-label={label}
      title={label}
      onClick={onClick}
    >
      <Icon name={name} />
    </button>
  );
}

type VideoProps = { stream: MediaStream; label: string; mirrored?: boolean };

function FloatPicture({ stream, label, mirrored = false }: VideoProps) {
  const place = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const inWindow = place.current;
    if (inWindow === null) return;
    const picture = makeVideoElement(stream, inWindow.ownerDocument);
    picture.toggleAttribute('data-mirrored', mirrored);
    picture.setAttribute('aria-label', label);
    inWindow.append(picture);
    countFloating(stream, 1);
    return () => {
      countFloating(stream, -1);
      picture.srcObject = null;
      picture.remove();
    };
  }, [stream, label, mirrored]);
  return <span ref={place} className="picture-place" />;
}
