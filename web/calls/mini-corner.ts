import { z } from 'zod';
import { type Corner, corners } from '#web/meet/stage/corner.ts';
import { openStorage } from '#web/storage/open-storage.ts';
import { StoredValue } from '#web/storage/stored-value.ts';

const storage = openStorage(() => localStorage);
const stored = new StoredValue(storage, 'rapport.mini-call', z.enum(corners));

/** The corner of the small call window, stored on the device. */
export const readCorner = (): Corner => stored.read() ?? 'bottom-right';

export function rememberCorner(corner: Corner): void {
  stored.write(corner);
}
