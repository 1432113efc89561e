import { useEffect, useRef, useState } from 'react';
import { DeviceChoice } from '#web/devices/device-choice.tsx';
import { DeviceTrouble } from '#web/devices/device-trouble.tsx';
import { Works } from '#web/devices/works.tsx';
import type { LocalMedia } from '#web/media/devices/local-media.ts';
import { useStore } from '#web/meet/use-store.ts';
import { t } from '#web/platform/texts.ts';
import { Card, CardHeader } from '#web/ui/card.tsx';

export function CameraTest({ media }: { media: LocalMedia }) {
  const { picture, camera, problems, lists, chosen } = useStore(media);
  const [seen, setSeen] = useState<MediaStream | null>(null);
  const isSeen = picture !== null && seen === picture;
  return (
    <Card>
      <CardHeader title={t('devices.camera')} />
      <div className="grid gap-4 p-5">
        {picture ? (
          <Preview stream={picture} onSeen={() => setSeen(picture)} />
        ) : (
          !problems.video && (
            <p className="grid aspect-video place-items-center rounded-lg bg-muted text-sm text-muted-foreground">
              {t('devices.waiting')}
            </p>
          )
        )}
        <Works text={isSeen && t('devices.seen')} />
        <DeviceTrouble media={media} kind="video" />
        <DeviceChoice
          label={t('devices.camera')}
          devices={lists.cameras}
          value={camera?.getSettings().deviceId ?? chosen.cameraId}
          onChoose={(id) => void media.choose('video', id)}
        />
      </div>
    </Card>
  );
}

/** @param props.onSeen is called once frames arrive: a covered or broken camera may send none */
function Preview({ stream, onSeen }: { stream: MediaStream; onSeen: () => void }) {
  const video = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    if (video.current) video.current.srcObject = stream;
  }, [stream]);
  return (
    <video
      ref={video}
      autoPlay
      muted
      playsInline
      aria-label={t('devices.preview')}
      onPlaying={onSeen}
      className="aspect-video w-full -scale-x-100 rounded-lg bg-black object-cover"
    />
  );
}
