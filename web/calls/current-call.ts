import type { KeptCall } from '#web/calls/kept-call.ts';
import { WritableStore } from '#web/meet/store.ts';

/** The one call that this tab is in, whichever page of the application it shows. */
export const currentCall = new WritableStore<{ call: KeptCall | null }>({ call: null });
