import { hasShape, isBoolean, isListOfTexts, isOptional, isText } from '#domain/shape.ts';
import { StoredValue } from '#web/storage/stored-value.ts';
import { rememberedKey } from './remembered-key.ts';

/** What the person chose last time on this device. */
export type RememberedChoice = {
  /** Of members, in the application. */
  skipPreview: boolean;
  /** Of guests: the links where they chose it, newest last. */
  skipPreviewAt?: string[] | undefined;
  audio: boolean;
  video: boolean;
  name?: string | undefined;
  microphoneId?: string | undefined;
  cameraId?: string | undefined;
  speakerId?: string | undefined;
  blur?: boolean | undefined;
};

const isChoice = (value: unknown): value is RememberedChoice =>
  hasShape<RememberedChoice>(value, {
    skipPreview: isBoolean,
    skipPreviewAt: isOptional(isListOfTexts),
    audio: isBoolean,
    video: isBoolean,
    name: isOptional(isText),
    microphoneId: isOptional(isText),
    cameraId: isOptional(isText),
    speakerId: isOptional(isText),
    blur: isOptional(isBoolean),
  });

const firstTime: RememberedChoice = { skipPreview: false, audio: true, video: true };

const storedIn = (storage: Storage) => new StoredValue(storage, rememberedKey, isChoice);

export const readChoice = (storage: Storage): RememberedChoice =>
  storedIn(storage).read() ?? firstTime;

/** Stores the given fields and keeps the others. */
export function rememberChoice(storage: Storage, changed: Partial<RememberedChoice>): void {
  storedIn(storage).write({ ...readChoice(storage), ...changed });
}
