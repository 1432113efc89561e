import { lazy, Suspense, useState } from 'react';
import { useAddressDialog } from '#web/platform/use-address-dialog.ts';

const Dialog = lazy(() => import('#web/rooms/create-room-form-dialog.tsx'));

/** The dialog's name in the address of a page that shows it: `?room`. */
export const createRoomParam = 'room';

/**
 * Open while the address contains its name. Its form is loaded on first use, which keeps the
 * dashboard small.
 */
export function CreateRoomDialog() {
  const { value, close } = useAddressDialog(createRoomParam);
  const isOpen = value !== null;
  const [isWanted, setWanted] = useState(isOpen);
  if (isOpen && !isWanted) setWanted(true);
  if (!isWanted) return null;
  return (
    <Suspense>
      <Dialog open={isOpen} onClose={close} />
    </Suspense>
  );
}
