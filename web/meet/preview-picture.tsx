import { BlurSwitch } from './blur-switch.tsx';
import { Icon } from './icons.tsx';
import { LevelMeter } from './level-meter.tsx';
import type { LocalMedia } from './local-media.ts';
import { CameraSwitch, MicrophoneSwitch } from './switches.tsx';
import { text } from './texts.ts';
import { useStore } from './use-store.ts';
import { Video } from './video.tsx';

export function PreviewPicture({ media }: { media: LocalMedia }) {
  const { picture, audio, wished, problems, asking } = useStore(media);
  const absent = problems.video
    ? 'join.noCamera'
    : wished.video && asking
      ? 'join.cameraStarting'
      : 'join.cameraOff';
  return (
    <div className="preview-picture">
      {picture ? (
        <Video stream={picture} mirrored label={text('join.preview')} />
      ) : (
        <p className="absent">
          <Icon name="cameraOff" />
          {text(absent)}
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
