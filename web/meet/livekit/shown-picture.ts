import type { ElementInfo } from 'livekit-client';
import { followPlace } from '../stage/picture-places.ts';

/** What LiveKit's adaptive stream asks of an element, answered for a stream wherever the page shows it. */
export function shownPicture(stream: MediaStream): ElementInfo {
  let shown: ReturnType<typeof followPlace> | null = null;
  const info: ElementInfo = {
    element: stream,
    visible: true,
    pictureInPicture: false,
    visibilityChangedAt: undefined,
    width: () => shown?.width() ?? 0,
    height: () => shown?.height() ?? 0,
    observe: () => {
      shown = followPlace(stream, changed);
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
