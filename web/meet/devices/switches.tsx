import { Icon } from '../icons.tsx';
import { text } from '../texts.ts';
import { useStore } from '../use-store.ts';
import type { LocalMedia } from './local-media.ts';

type SwitchProps = { media: LocalMedia };

/** Its name says what pressing it does, so it needs no pressed state beside it. */
export function MicrophoneSwitch({ media, flagged = false }: SwitchProps & { flagged?: boolean }) {
  const { problems, wished } = useStore(media);
  const on = wished.audio && problems.audio === undefined;
  const label = text(on ? 'controls.mute' : 'controls.unmute');
  return (
    <button
      type="button"
      className="round"
      data-off={!on || undefined}
      data-control="microphone"
      aria-label={label}
      title={label}
      aria-keyshortcuts="Control+D"
      onClick={(event) => {
        // Who clicked it with a mouse holds Space to talk next: the button must not take it.
        if (event.detail > 0) event.currentTarget.blur();
        void media.switch('audio', !on);
      }}
    >
      <Icon name={on ? 'microphone' : 'microphoneOff'} />
      {(problems.audio || flagged) && <span className="flag" aria-hidden="true" />}
    </button>
  );
}

export function CameraSwitch({ media }: SwitchProps) {
  const { problems, wished } = useStore(media);
  const on = wished.video && problems.video === undefined;
  const label = text(on ? 'controls.cameraOff' : 'controls.cameraOn');
  return (
    <button
      type="button"
      className="round"
      data-off={!on || undefined}
      data-control="camera"
      aria-label={label}
      title={label}
      aria-keyshortcuts="Control+E"
      onClick={() => void media.switch('video', !on)}
    >
      <Icon name={on ? 'camera' : 'cameraOff'} />
      {problems.video && <span className="flag" aria-hidden="true" />}
    </button>
  );
}
