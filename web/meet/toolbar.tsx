import { useRef } from 'react';
import type { Chat } from './chat.ts';
import { ChatButton } from './chat-button.tsx';
import { DeviceSettings } from './device-settings.tsx';
import { Icon } from './icons.tsx';
import type { Meeting } from './meeting.ts';
import { ReactMenu } from './react-menu.tsx';
import { ShareButton } from './share-button.tsx';
import { CameraSwitch, MicrophoneSwitch } from './switches.tsx';
import { text } from './texts.ts';
import { useFullscreen } from './use-fullscreen.ts';

export function Toolbar({ meeting, chat }: { meeting: Meeting; chat: Chat }) {
  const settings = useRef<HTMLDialogElement>(null);
  return (
    <section className="toolbar" aria-label={text('controls.label')}>
      <MicrophoneSwitch media={meeting.media} />
      <CameraSwitch media={meeting.media} />
      <ShareButton screen={meeting.screen} />
      <ReactMenu meeting={meeting} />
      <ChatButton chat={chat} />
      <button
        type="button"
        className="round"
        aria-label={text('controls.settings')}
        title={text('controls.settings')}
        aria-haspopup="dialog"
        onClick={() => settings.current?.showModal()}
      >
        <Icon name="settings" />
      </button>
      <FullscreenButton />
      <button
        type="button"
        className="pill leave"
        data-control="leave"
        onClick={() => meeting.leave()}
      >
        <Icon name="leave" />
        <span>{text('controls.leave')}</span>
      </button>
      <DeviceSettings dialog={settings} meeting={meeting} />
    </section>
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
      aria-label={label}
      title={label}
      onClick={fullscreen.toggle}
    >
      <Icon name={fullscreen.on ? 'exitFullscreen' : 'fullscreen'} />
    </button>
  );
}
