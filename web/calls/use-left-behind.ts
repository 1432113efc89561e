import { useEffect } from 'react';
import { useUser } from '#web/auth/auth-provider.tsx';
import { UnsavedEditsStore } from '#web/calls/unsaved-edits.ts';
import { openStorage } from '#web/storage/open-storage.ts';

/** Sends stored edits of earlier call pages in this browser, while no call page is open. */
export function useLeftBehind(): void {
  const { id } = useUser();
  useEffect(() => {
    const store = new UnsavedEditsStore(
      openStorage(() => localStorage),
      id,
    );
    if (store.callIds().length === 0) return;
    void import('#web/calls/left-behind.ts').then(({ sendLeftBehind }) => sendLeftBehind(store));
  }, [id]);
}
