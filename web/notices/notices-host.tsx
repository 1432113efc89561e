import { lazy, Suspense, useEffect } from 'react';
import { roleMay } from '#domain/auth/permissions.ts';
import { useAuth } from '#web/auth/auth-provider.tsx';
import { followNotices, useNotices } from '#web/notices/notices.ts';

const load = () => import('#web/notices/at-the-door.tsx');
// It stands above all pages, so a failure to load it must not take them away.
const AtTheDoor = lazy(() => load().catch(() => ({ default: () => null })));
/** After the page itself, so that the first guest is noticed as soon as the next. */
const loadAfterMs = 3_000;

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
  const mayAdmit = role != null && roleMay(role, 'calls.update');
  useEffect(() => {
    if (!mayAdmit) return;
    const timer = setTimeout(() => load().catch(() => undefined), loadAfterMs);
    return () => clearTimeout(timer);
  }, [mayAdmit]);
  const { rooms } = useNotices();
  if (!rooms.some(({ guests = [] }) => guests.length > 0)) return null;
  return (
    <Suspense>
      <AtTheDoor />
    </Suspense>
  );
}
