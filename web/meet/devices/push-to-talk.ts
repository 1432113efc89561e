import type { LocalMedia } from '#web/media/devices/local-media.ts';
import { takesSpace } from '../controls/shortcuts.ts';

/**
 * While muted, Space unmutes for as long as it is held.
 * @returns a function that stops it, and mutes if Space is still held
 */
export function followSpace(media: Pick<LocalMedia, 'switch' | 'getSnapshot'>): () => void {
  let held = false;
  const press = (event: KeyboardEvent) => {
    const modified = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey;
    if (event.code !== 'Space' || modified || takesSpace(event.target)) return;
    // Otherwise the page scrolls.
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
  // The key may be released over another window: the microphone must not stay on unnoticed.
  addEventListener('blur', release);
  return () => {
    removeEventListener('keydown', press);
    removeEventListener('keyup', lift);
    removeEventListener('blur', release);
    release();
  };
}
