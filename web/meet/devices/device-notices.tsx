import { type ComponentType, lazy, Suspense } from 'react';
import type { LocalMedia } from '#web/media/devices/local-media.ts';
import { useStore } from '../use-store.ts';

type Props = { media: LocalMedia };

/** Without network, where the page goes on, the flags at the buttons have to do. */
const unseen: { default: ComponentType<Props> } = { default: () => null };
const DeviceNoticeList = lazy<ComponentType<Props>>(() =>
  import('./device-notice-list.tsx').catch(() => unseen),
);

/** What is wrong with the microphone or camera, and what to do about it. Gone when it is mended. */
export function DeviceNotices({ media }: Props) {
  const { problems, wished, blurTrouble } = useStore(media);
  const isWrong =
    blurTrouble !== null || (wished.audio && problems.audio) || (wished.video && problems.video);
  return (
    <div className="notices" role="status">
      {isWrong && (
        <Suspense>
          <DeviceNoticeList media={media} />
        </Suspense>
      )}
    </div>
  );
}
