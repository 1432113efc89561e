import type { ElementInfo } from 'livekit-client';
import { followVideoPlace } from '../shown/video-places.ts';

/** Reports to LiveKit's adaptive stream how large a stream is shown, and whether it is visible. */
export function elementInfoOf(stream: MediaStream): ElementInfo {
  let shown: ReturnType<typeof followVideoPlace> | null = null;
  const info: ElementInfo = {
    element: stream,
    visible: true,
    pictureInPicture: false,
    visibilityChangedAt: undefined,
    width: () => shown?.width() ?? 0,
    height: () => shown?.height() ?? 0,
    observe: () => {
      shown = followVideoPlace(stream, changed);
    },
    stopObserving: () => shown?.stop(),
  };
  function changed(): void {
    const visible = shown?.visible() ?? true;
    if (visible !== info.visible) {
      info.visible = visible;
      info.visibilityChangedAt = Date.now();
      info.handleVisibilityChanged?.();
    }
    info.handleResize?.();
  }
  return info;
}
