import { lazy, Suspense, useState } from 'react';
import type { Captions } from '../captions/captions.ts';
import type { Chat } from '../chat/chat.ts';
import { ChatButton } from '../chat/chat-button.tsx';
import { captureSlot } from '../consent/capture-slot.ts';
import { ShareButton } from '../devices/share-button.tsx';
import { CameraSwitch, MicrophoneSwitch } from '../devices/switches.tsx';
import type { Float } from '../float/use-float.ts';
import { Icon } from '../icons.tsx';
import type { Meeting } from '../meeting.ts';
import type { LayoutChoice } from '../stage/layout-choice.ts';
import { LayoutMenu } from '../stage/layout-menu.tsx';
import type { Speakers } from '../stage/speakers.ts';
import { text } from '../texts.ts';
import { useStore } from '../use-store.ts';
import { ReactMenu } from './react-menu.tsx';
import { useFullscreen } from './use-fullscreen.ts';

const CaptionsButton = lazy(() => import('../captions/captions-button.tsx'));
const DeviceSettings = lazy(() => import('../devices/device-settings.tsx'));

type ToolbarProps = {
  meeting: Meeting;
  chat: Chat;
  captions: Captions;
  speakers: Speakers;
  choice: LayoutChoice;
  float: Float;
  people: boolean;
  onPeople: () => void;
  onShortcuts: () => void;
};

export function Toolbar(props: ToolbarProps) {
  const { meeting, chat, captions, speakers, choice, float, people, onPeople, onShortcuts } = props;
  const { trouble } = useStore(speakers);
  const { isHost, guests } = useStore(meeting);
  const { loaded } = useStore(captureSlot);
  const { isAvailable: hasCaptions } = useStore(captions);
  const [settings, setSettings] = useState(false);
  const { on: isFullscreen } = useFullscreen();
  return (
    <section className="toolbar" aria-label={text('controls.label')}>
      <MicrophoneSwitch media={meeting.media} flagged={trouble !== null} />
      <CameraSwitch media={meeting.media} />
      <ShareButton screen={meeting.screen} />
      <ReactMenu meeting={meeting} />
      <ChatButton chat={chat} />
      {hasCaptions && (
        <Suspense>
          <CaptionsButton captions={captions} />
        </Suspense>
      )}
      {isHost && <PeopleButton isOpen={people} waiting={guests.length} onClick={onPeople} />}
      {loaded && <loaded.parts.CaptureButton meeting={meeting} session={loaded.session} />}
      <LayoutMenu
        choice={choice}
        captions={captions}
        float={float}
        onShortcuts={onShortcuts}
        onSettings={() => setSettings(true)}
      />
      <button
        type="button"
        className="round"
        data-control="settings"
        aria-label={text('controls.settings')}
        title={text('controls.settings')}
        aria-haspopup="dialog"
        onClick={() => setSettings(true)}
      >
        <Icon name="settings" />
      </button>
      <FullscreenButton />
      {/* The call screen around this page has its own, which can end the call, too. */}
      {(!meeting.isFramed || isFullscreen) && (
        <button
          type="button"
          className="pill leave"
          data-control="leave"
          onClick={() => meeting.leave()}
        >
          <Icon name="leave" />
          <span>{text('controls.leave')}</span>
        </button>
      )}
      {settings && (
        <Suspense>
          <DeviceSettings meeting={meeting} onClose={() => setSettings(false)} />
        </Suspense>
      )}
    </section>
  );
}

type PeopleButtonProps = { isOpen: boolean; waiting: number; onClick: () => void };

function PeopleButton({ isOpen, waiting, onClick }: PeopleButtonProps) {
  const label =
    waiting > 0 ? text('controls.peopleWaiting', { count: waiting }) : text('controls.people');
  return (
    <button
      type="button"
      className="round"
      data-control="people"
      data-on={isOpen || undefined}
      aria-label={label}
      aria-expanded={isOpen}
      title={label}
      onClick={onClick}
    >
      <Icon name="people" />
      {waiting > 0 && (
        <span className="count" aria-hidden="true">
          {waiting > 9 ? '9+' : waiting}
        </span>
      )}
    </button>
  );
}

function FullscreenButton() {
  const fullscreen = useFullscreen();
  if (!document.fullscreenEnabled) return null;
  const label = text(fullscreen.on ? 'controls.exitFullscreen' : 'controls.fullscreen');
  return (
    <button
      type="button"
      className="round"
      data-control="fullscreen"
      aria-label={label}
      title={label}
      onClick={fullscreen.toggle}
    >
      <Icon name={fullscreen.on ? 'exitFullscreen' : 'fullscreen'} />
    </button>
  );
}
