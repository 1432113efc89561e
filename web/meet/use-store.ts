import { useSyncExternalStore } from 'react';
import type { Store } from '#web/live/store.ts';

export function useStore<T>(store: Store<T>): T {
  return useSyncExternalStore(store.subscribe, store.getSnapshot);
}
