import type { MouseEvent } from 'react';
import type { LocalMedia } from '#web/media/devices/local-media.ts';
import { Icon } from '../icons.tsx';
import { text } from '../texts.ts';
import { useStore } from '../use-store.ts';

type SwitchProps = { media: LocalMedia };

/** The name says what a press does, so the button needs no pressed state. */
export function MicrophoneSwitch({ media, flagged = false }: SwitchProps & { flagged?: boolean }) {
  const { problems, wished } = useStore(media);
  const on = wished.audio && problems.audio === undefined;
  return (
    <DeviceSwitch
      control="microphone"
      on={on}
      label={text(on ? 'controls.mute' : 'controls.unmute')}
      shortcut="Control+D"
      flagged={problems.audio !== undefined || flagged}
      onClick={(event) => {
        // After a mouse click, Space is push-to-talk: the button must not handle it.
        if (event.detail > 0) event.currentTarget.blur();
        void media.switch('audio', !on);
      }}
    />
  );
}

export function CameraSwitch({ media }: SwitchProps) {
  const { problems, wished } = useStore(media);
  const on = wished.video && problems.video === undefined;
  return (
    <DeviceSwitch
      control="camera"
      on={on}
      label={text(on ? 'controls.cameraOff' : 'controls.cameraOn')}
      shortcut="Control+E"
      flagged={problems.video !== undefined}
      onClick={() => void media.switch('video', !on)}
    />
  );
}

type DeviceSwitchProps = {
  control: 'microphone' | 'camera';
  on: boolean;
  label: string;
  shortcut: string;
  flagged: boolean;
  onClick: (event: MouseEvent<HTMLButtonElement>) => void;
};

function DeviceSwitch({ control, on, label, shortcut, flagged, onClick }: DeviceSwitchProps) {
  return (
    <button
      type="button"
      className="round"
      data-off={!on || undefined}
      data-control={control}
      aria-label={label}
      title={label}
      aria-keyshortcuts={shortcut}
      onClick={onClick}
    >
      <Icon name={on ? control : `${control}Off`} />
      {flagged && <span className="flag" aria-hidden="true" />}
    </button>
  );
}
