import { lazy, Suspense, useState } from 'react';
import { useAddressDialog } from '#web/platform/use-address-dialog.ts';

const TemplatesDialog = lazy(() => import('#web/playbooks/templates-dialog.tsx'));

/** The dialog's name in the address of a page that shows it: `?templates`. */
export const templatesParam = 'templates';

/** Open while the address contains its name. Its texts are loaded on first use. */
export function TemplatesAtAddress() {
  const { value, close } = useAddressDialog(templatesParam);
  const isOpen = value !== null;
  const [isWanted, setWanted] = useState(isOpen);
  if (isOpen && !isWanted) setWanted(true);
  if (!isWanted) return null;
  return (
    <Suspense>
      <TemplatesDialog open={isOpen} onClose={close} />
    </Suspense>
  );
}
