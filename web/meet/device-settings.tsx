import { type RefObject, useId, useState } from 'react';
import { BlurCheck } from './blur-switch.tsx';
import { DeviceNotices } from './device-notices.tsx';
import { DeviceSelects } from './device-selects.tsx';
import { LineTestButton } from './line-test-button.tsx';
import type { Meeting } from './meeting.ts';
import { text } from './texts.ts';

type SettingsProps = { dialog: RefObject<HTMLDialogElement | null>; meeting: Meeting };

export function DeviceSettings({ dialog, meeting }: SettingsProps) {
  const heading = useId();
  const [skip, setSkip] = useState(meeting.choice.skipPreview);
  return (
    <dialog ref={dialog} className="settings" aria-labelledby={heading}>
      <form method="dialog">
        <h2 id={heading}>{text('devices.heading')}</h2>
        <DeviceSelects media={meeting.media} />
        <BlurCheck media={meeting.media} />
        <DeviceNotices media={meeting.media} />
        <label className="check">
          <input
            type="checkbox"
            checked={skip}
            onChange={(event) => {
              setSkip(event.target.checked);
              meeting.choose({ skipPreview: event.target.checked });
            }}
          />
          {text('devices.skipPreview')}
        </label>
        <LineTestButton meeting={meeting} />
        <button type="submit" className="primary">
          {text('devices.close')}
        </button>
      </form>
    </dialog>
  );
}
