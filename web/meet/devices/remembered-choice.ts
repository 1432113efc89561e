import * as z from 'zod/mini';
import { rememberedKey } from './remembered-key.ts';

const deviceId = z.optional(z.string());
const choice = z.object({
  skipPreview: z.boolean(),
  audio: z.boolean(),
  video: z.boolean(),
  name: z.optional(z.string()),
  microphoneId: deviceId,
  cameraId: deviceId,
  speakerId: deviceId,
  blur: z.optional(z.boolean()),
});
/** What somebody chose last time on this device. */
export type RememberedChoice = z.infer<typeof choice>;

const firstTime: RememberedChoice = { skipPreview: false, audio: true, video: true };

export function readChoice(storage: Storage): RememberedChoice {
  try {
    const parsed = z.safeParse(choice, JSON.parse(storage.getItem(rememberedKey) ?? 'null'));
    return parsed.success ? parsed.data : firstTime;
  } catch {
    return firstTime;
  }
}

/** Keeps the given parts and leaves the rest as it was. */
export function rememberChoice(storage: Storage, changed: Partial<RememberedChoice>): void {
  try {
    storage.setItem(rememberedKey, JSON.stringify({ ...readChoice(storage), ...changed }));
  } catch {
    // A browser that stores nothing asks again next time.
  }
}
