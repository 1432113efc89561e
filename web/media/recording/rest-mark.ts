import { openStorage } from '#web/storage/open-storage.ts';

const key = 'rapport.recording';

/** Whether this browser may keep parts of a recording that are not sent yet. */
export const hasRest = (): boolean => openStorage(() => localStorage).getItem(key) !== null;

export function markRest(isThere: boolean): void {
  const storage = openStorage(() => localStorage);
  if (isThere) storage.setItem(key, '1');
  else storage.removeItem(key);
}
