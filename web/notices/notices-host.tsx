import { lazy, Suspense, useEffect } from 'react';
import { useAuth } from '#web/auth/auth-provider.tsx';
import { followNotices, useNotices } from '#web/notices/notices.ts';

// Loaded when the first guest waits.
const AtTheDoor = lazy(() => import('#web/notices/at-the-door.tsx'));

/** Rendered above the pages, so that a waiting guest is noticed on all of them. */
export function NoticesHost() {
  const auth = useAuth();
  const user = auth.status === 'signed-in' ? auth.user : null;
  const id = user?.id;
  const orgId = user?.mustSetUpTwoFactor ? null : user?.orgId;
  const role = user?.role;
  useEffect(() => {
    if (id && orgId && role) return followNotices({ id, orgId });
  }, [id, orgId, role]);
  const { rooms } = useNotices();
  if (!rooms.some(({ guests = [] }) => guests.length > 0)) return null;
  return (
    <Suspense>
      <AtTheDoor />
    </Suspense>
  );
}
