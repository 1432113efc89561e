import * as z from 'zod/mini';
import { StoredValue } from '#web/storage/stored-value.ts';
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
/** What the person chose last time on this device. */
export type RememberedChoice = z.infer<typeof choice>;

const firstTime: RememberedChoice = { skipPreview: false, audio: true, video: true };

const storedIn = (storage: Storage) => new StoredValue(storage, rememberedKey, choice);

export const readChoice = (storage: Storage): RememberedChoice =>
  storedIn(storage).read() ?? firstTime;

/** Stores the given fields and keeps the others. */
export function rememberChoice(storage: Storage, changed: Partial<RememberedChoice>): void {
  storedIn(storage).write({ ...readChoice(storage), ...changed });
}
