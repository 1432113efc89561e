import { useEffect, useRef, useState } from 'react';
import { DeviceChoice } from '#web/devices/device-choice.tsx';
import { DeviceTrouble } from '#web/devices/device-trouble.tsx';
import { Works } from '#web/devices/works.tsx';
import type { LocalMedia } from '#web/media/devices/local-media.ts';
import { watchLevel } from '#web/media/devices/microphone-level.ts';
import { useStore } from '#web/meet/use-store.ts';
import { t } from '#web/platform/texts.ts';
import { Card, CardHeader } from '#web/ui/card.tsx';

/** A level that speech reaches and a quiet room does not. */
const heardAbove = 0.15;

export function MicrophoneTest({ media }: { media: LocalMedia }) {
  const { audio, problems, lists, chosen } = useStore(media);
  const [heard, setHeard] = useState<MediaStreamTrack | null>(null);
  const isHeard = audio !== null && heard === audio;
  return (
    <Card>
      <CardHeader title={t('devices.microphone')} />
      <div className="grid gap-4 p-5">
        {audio && (
          <div className="grid gap-2">
            <Level key={audio.id} track={audio} onHeard={() => setHeard(audio)} />
            {!isHeard && <p className="text-sm text-muted-foreground">{t('devices.say')}</p>}
          </div>
        )}
        {!audio && !problems.audio && (
          <p className="text-sm text-muted-foreground">{t('devices.waiting')}</p>
        )}
        <Works text={isHeard && t('devices.heard')} />
        <DeviceTrouble media={media} kind="audio" />
        <DeviceChoice
          label={t('devices.microphone')}
          devices={lists.microphones}
          value={audio?.getSettings().deviceId ?? chosen.microphoneId}
          onChoose={(id) => void media.choose('audio', id)}
        />
      </div>
    </Card>
  );
}

/** Drawn without React, since it changes sixty times a second. */
function Level({ track, onHeard }: { track: MediaStreamTrack; onHeard: () => void }) {
  const bar = useRef<HTMLDivElement>(null);
  const told = useRef(onHeard);
  told.current = onHeard;
  useEffect(() => {
    let isHeard = false;
    return watchLevel(track, (level) => {
      bar.current?.style.setProperty('width', `${(level * 100).toFixed(0)}%`);
      if (isHeard || level < heardAbove) return;
      isHeard = true;
      told.current();
    });
  }, [track]);
  return (
    <div
      role="img"
      aria-label={t('devices.level')}
      className="h-2 overflow-hidden rounded-full bg-muted"
    >
      <div ref={bar} className="h-full rounded-full bg-success" />
    </div>
  );
}
