import { useState } from 'react';
import { Icon } from '../icons.tsx';
import type { Speakers } from '../stage/speakers.ts';
import { text } from '../texts.ts';
import { useStore } from '../use-store.ts';

/** Explains what to do about a microphone that is silent or clips. */
export function MicrophoneNotice({ speakers }: { speakers: Speakers }) {
  const { trouble } = useStore(speakers);
  const [hidden, setHidden] = useState<typeof trouble>(null);
  return (
    <div className="notices" role="status">
      {trouble && trouble !== hidden && (
        <div className="notice" data-microphone={trouble}>
          <Icon name="alert" />
          <p>{text(`microphone.${trouble}`)}</p>
          <span className="notice-actions">
            <button type="button" className="quiet" onClick={() => setHidden(trouble)}>
              {text('microphone.hide')}
            </button>
          </span>
        </div>
      )}
    </div>
  );
}
