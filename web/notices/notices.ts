import type { SignedInUser } from '#domain/auth/contract.ts';
import type { RoomNow } from '#domain/notices/live.ts';
import type { SharedNotices } from '#web/live/shared-notices.ts';
import { WritableStore } from '#web/live/store.ts';
import { useStore } from '#web/meet/use-store.ts';

interface Now {
  rooms: readonly RoomNow[];
  /** The waits that the person put off. */
  putOff: readonly string[];
}

const nothing: Now = { rooms: [], putOff: [] };

/** What happens in the organization's rooms, for the components of the page. */
const now = new WritableStore<Now>(nothing);
let shared: SharedNotices | null = null;

export const useNotices = () => useStore(now);

export const useRoomNow = (roomId: string): RoomNow | undefined =>
  useNotices().rooms.find((room) => room.roomId === roomId);

/**
 * Follows what happens in the organization's rooms. Its code is loaded after the page.
 * @returns a function that stops it
 */
export function followNotices({ id, orgId }: Pick<SignedInUser, 'id' | 'orgId'>): () => void {
  const over = new AbortController();
  const start = async () => {
    const { SharedNotices } = await import('#web/live/shared-notices.ts');
    if (over.signal.aborted) return;
    const opened = new SharedNotices({ name: `${orgId} ${id}`, openWebSocket });
    shared = opened;
    opened.subscribe(() => now.update(opened.getSnapshot()));
    over.signal.addEventListener('abort', () => opened.close());
  };
  // Without its code, the page works as before.
  start().catch(() => undefined);
  return () => {
    over.abort();
    shared = null;
    now.update(nothing);
  };
}

/** Shows nothing more about these waits, in this browser. */
export const putOff = (waits: readonly string[]): void => shared?.putOff(waits);

const openWebSocket = () =>
  new WebSocket(`${window.location.origin.replace(/^http/, 'ws')}/ws/notices`);
