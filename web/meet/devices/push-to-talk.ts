import type { LocalMedia } from '#web/media/devices/local-media.ts';
import { takesSpace } from '../controls/shortcuts.ts';

/**
 * While muted, Space lets one be heard for as long as it is held.
 * @returns the stop, which mutes whoever holds it still
 */
export function followSpace(media: Pick<LocalMedia, 'switch' | 'getSnapshot'>): () => void {
  let held = false;
  const press = (event: KeyboardEvent) => {
    const modified = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey;
    if (event.code !== 'Space' || modified || takesSpace(event.target)) return;
    // Else the page scrolls.
    event.preventDefault();
    if (event.repeat || held || media.getSnapshot().wished.audio) return;
    held = true;
    void media.switch('audio', true);
  };
  const release = () => {
    if (held) void media.switch('audio', false);
    held = false;
  };
  const lift = (event: KeyboardEvent) => {
    if (event.code === 'Space') release();
  };
  addEventListener('keydown', press);
  addEventListener('keyup', lift);
  // The key is lifted over another window: nobody should be heard there without knowing.
  addEventListener('blur', release);
  return () => {
    removeEventListener('keydown', press);
    removeEventListener('keyup', lift);
    removeEventListener('blur', release);
    release();
  };
}
