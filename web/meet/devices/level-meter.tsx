import { useEffect, useRef } from 'react';
import { watchLevel } from '#web/media/devices/microphone-level.ts';
import { text } from '../texts.ts';

/** Drawn without React, since it changes sixty times a second. */
export function LevelMeter({ track }: { track: MediaStreamTrack }) {
  const bar = useRef<HTMLSpanElement>(null);
  useEffect(
    () =>
      watchLevel(track, (level) => {
        bar.current?.style.setProperty('--level', level.toFixed(2));
      }),
    [track],
  );
  return (
    <span className="level" role="img" aria-label={text('join.level')}>
      <span ref={bar} />
    </span>
  );
}
