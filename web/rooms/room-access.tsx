import { lazy, Suspense, useState } from 'react';
import type { Room } from '#domain/rooms/contract.ts';

const GuestAccessDialog = lazy(() => import('#web/links/guest-access-dialog.tsx'));

/** The dialog of guest access. Its forms are loaded on first use. */
export function RoomAccess({ room, onClose }: { room: Room | null; onClose: () => void }) {
  const [isWanted, setWanted] = useState(false);
  if (room && !isWanted) setWanted(true);
  if (!isWanted) return null;
  return (
    <Suspense>
      <GuestAccessDialog room={room} onClose={onClose} />
    </Suspense>
  );
}
