import { openStorage } from '#web/meet/open-storage.ts';
import { type Corner, corners } from '#web/meet/stage/corner.ts';

const key = 'rapport.mini-call';
const storage = openStorage(() => localStorage);

/** Where the small window of a call lies, kept on the device. */
export const readCorner = (): Corner =>
  corners.find((corner) => corner === storage.getItem(key)) ?? 'bottom-right';

export function rememberCorner(corner: Corner): void {
  try {
    storage.setItem(key, corner);
  } catch {
    // A browser that stores nothing begins in the usual corner next time.
  }
}
