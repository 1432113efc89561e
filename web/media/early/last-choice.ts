import { constraints } from '../devices/device-constraints.ts';
import { rememberedKey } from '../devices/remembered-key.ts';
import type { Started } from './started.ts';

/** Requests the devices that were chosen last time, before the program that uses them has loaded. */
export function askForLastChoice(): Started['devices'] {
  const wanted = lastChoice();
  if (wanted === null || !window.isSecureContext || !('mediaDevices' in navigator)) return null;
  const answer = navigator.mediaDevices.getUserMedia(wanted);
  answer.catch(() => {
    // The caller of `askDevices` handles the same error.
  });
  return { constraints: JSON.stringify(wanted), answer };
}

/** Reads the stored choice as `readChoice` does. Null if no device was on. */
function lastChoice(): MediaStreamConstraints | null {
  try {
    const kept = localStorage.getItem(rememberedKey);
    const { audio, video, microphoneId, cameraId } =
      kept === null ? { audio: true, video: true } : JSON.parse(kept);
    const kinds = [...(audio === true ? ['audio'] : []), ...(video === true ? ['video'] : [])];
    return kinds.length === 0 ? null : constraints(kinds, { microphoneId, cameraId });
  } catch {
    return null;
  }
}
