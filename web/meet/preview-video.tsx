import { useEffect, useState } from 'react';
import type { LocalMedia } from '#web/media/devices/local-media.ts';
import { BlurSwitch } from './devices/blur-switch.tsx';
import { LevelMeter } from './devices/level-meter.tsx';
import { CameraSwitch, MicrophoneSwitch } from './devices/switches.tsx';
import { Icon } from './icons.tsx';
import { Video } from './stage/video.tsx';
import { text } from './texts.ts';
import { useStore } from './use-store.ts';

export function PreviewVideo({ media }: { media: LocalMedia }) {
  const { picture, audio, wished, problems, asking } = useStore(media);
  const isQuestioned = useQuestion(asking && !audio);
  const isOff = !wished.video || !(asking || problems.video);
  const absent = problems.video
    ? 'join.noCamera'
    : isQuestioned
      ? 'join.asking'
      : isOff
        ? 'join.cameraOff'
        : 'join.cameraStarting';
  return (
    <div className="preview-picture">
      {picture ? (
        <Video stream={picture} mirrored label={text('join.preview')} />
      ) : (
        <p className="absent" role={isQuestioned ? 'status' : undefined}>
          <Icon name={isQuestioned ? 'camera' : 'cameraOff'} />
          <span>{text(absent)}</span>
          {absent === 'join.cameraOff' && <small>{text('join.cameraOffHint')}</small>}
        </p>
      )}
      <div className="preview-controls">
        <MicrophoneSwitch media={media} />
        <CameraSwitch media={media} />
        <BlurSwitch media={media} />
      </div>
      {audio && wished.audio && <LevelMeter track={audio} />}
    </div>
  );
}

/**
 * If the browser does not report its prompt, an answer that takes longer than a device means that
 * it asks.
 */
const deviceMs = 1_500;

/** Whether the browser's permission prompt is open. */
function useQuestion(waiting: boolean): boolean {
  const [asks, setAsks] = useState(false);
  useEffect(() => {
    if (!waiting) return;
    let later: ReturnType<typeof setTimeout> | undefined;
    let over = false;
    permissionStates().then((states) => {
      if (over) return;
      if (states.includes('prompt')) setAsks(true);
      else if (states.length === 0) later = setTimeout(setAsks, deviceMs, true);
    });
    return () => {
      over = true;
      clearTimeout(later);
      setAsks(false);
    };
  }, [waiting]);
  return waiting && asks;
}

/** Returns none if the browser does not support the query. */
async function permissionStates(): Promise<PermissionState[]> {
  try {
    const names = ['camera', 'microphone'] as const;
    const states = await Promise.all(names.map((name) => navigator.permissions.query({ name })));
    return states.map(({ state }) => state);
  } catch {
    return [];
  }
}
