import { lazy, Suspense } from 'react';

const GuestLinkDialog = lazy(() => import('#web/rooms/guest-link-dialog.tsx'));

/** Shows a guest link that the browser did not let the page copy. The dialog is loaded for the first one. */
export function UncopiedLink({ link, onClose }: { link: string | null; onClose: () => void }) {
  return (
    link && (
      <Suspense>
        <GuestLinkDialog link={link} onClose={onClose} />
      </Suspense>
    )
  );
}
