import { constraints } from '../devices/device-constraints.ts';
import { rememberedKey } from '../devices/remembered-key.ts';
import type { Started } from './started.ts';

/** Asks for what was chosen last time, before the program is there that shows and sends it. */
export function askForLastChoice(): Started['devices'] {
  const wanted = lastChoice();
  if (wanted === null || !window.isSecureContext || !('mediaDevices' in navigator)) return null;
  const answer = navigator.mediaDevices.getUserMedia(wanted);
  answer.catch(() => {
    // Who takes it sees the same refusal.
  });
  return { constraints: JSON.stringify(wanted), answer };
}

/** As `readChoice` reads it; null where that says nothing to ask for. */
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
