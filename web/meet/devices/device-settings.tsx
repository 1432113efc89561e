import { useEffect, useId, useRef, useState } from 'react';
import { blurIsOffered } from '#web/media/devices/background.ts';
import type { LocalMedia } from '#web/media/devices/local-media.ts';
import { laterText } from '../later-texts.ts';
import type { Meeting } from '../meeting.ts';
import { ConnectionTestButton } from '../network/connection-test-button.tsx';
import { text } from '../texts.ts';
import { useStore } from '../use-store.ts';
import { DeviceNotices } from './device-notices.tsx';
import { DeviceSelects } from './device-selects.tsx';
import { LevelMeter } from './level-meter.tsx';
import { SpeakerTest } from './speaker-test.tsx';

type SettingsProps = { meeting: Meeting; onClose: () => void };

/** Loaded separately, on a click. */
export default function DeviceSettings({ meeting, onClose }: SettingsProps) {
  const { media } = meeting;
  const { audio, wished } = useStore(media);
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  const [skip, setSkip] = useState(meeting.choices.skipsPreview);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} className="settings" aria-labelledby={heading} onClose={onClose}>
      <form method="dialog">
        <h2 id={heading}>{laterText('settings.heading')}</h2>
        <DeviceSelects
          media={media}
          meter={audio && wished.audio && <LevelMeter track={audio} />}
        />
        <BlurCheck media={media} />
        <DeviceNotices media={media} />
        {meeting.choices.maySkipPreview && (
          <label className="check">
            <input
              type="checkbox"
              checked={skip}
              onChange={(event) => {
                setSkip(event.target.checked);
                meeting.choices.skipPreview(event.target.checked);
              }}
            />
            {laterText('settings.skipPreview')}
          </label>
        )}
        <div className="tests">
          <SpeakerTest media={media} />
          <ConnectionTestButton meeting={meeting} />
        </div>
        <button type="submit" className="primary">
          {text('devices.close')}
        </button>
      </form>
    </dialog>
  );
}

function BlurCheck({ media }: { media: LocalMedia }) {
  const { chosen, camera, blur } = useStore(media);
  if (!blurIsOffered(camera)) return null;
  return (
    <label className="check" data-blur={blur}>
      <input
        type="checkbox"
        checked={chosen.blur === true}
        onChange={(event) => void media.blur(event.target.checked)}
      />
      {blur === 'starting' ? laterText('blur.starting') : text('blur.label')}
    </label>
  );
}
