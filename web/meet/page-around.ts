import type { MeetingView } from '#domain/calls/frame-messages.ts';
import type { LocalMedia } from '#web/media/devices/local-media.ts';
import { pressedOutside } from './controls/use-shortcuts.ts';
import type { Frame } from './frame.ts';

/** Applies the embedding page's requests to a framed meeting, and posts whether the microphone is on. */
export function followPageAround(frame: Frame, media: LocalMedia): void {
  frame.onView(showAs);
  frame.onShortcut(pressedOutside);
  frame.onMicrophone((on) => void media.switch('audio', on));
  let told: boolean | null = null;
  const tell = () => {
    const { wished, problems } = media.getSnapshot();
    const on = wished.audio && problems.audio === undefined;
    if (on !== told) frame.post({ type: 'microphone', on });
    told = on;
  };
  media.subscribe(tell);
  tell();
}

/** The style sheets hide what has no room; no part of the page is rendered again. */
function showAs(view: MeetingView): void {
  document.documentElement.dataset.view = view;
}
