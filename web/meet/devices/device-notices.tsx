import { type ComponentType, lazy, Suspense } from 'react';
import type { LocalMedia } from '#web/media/devices/local-media.ts';
import { useStore } from '../use-store.ts';

type Props = { media: LocalMedia };

/** If the file does not load, the marks on the buttons must do. */
const unseen: { default: ComponentType<Props> } = { default: () => null };
const DeviceNoticeList = lazy<ComponentType<Props>>(() =>
  import('./device-notice-list.tsx').catch(() => unseen),
);

/** Problems of the microphone or camera, and how to solve them. Disappears when they are solved. */
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
