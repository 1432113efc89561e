import type { Meeting } from './meeting.ts';
import { OrganizationMast } from './organization-mast.tsx';
import { useStore } from './use-store.ts';

/** The organization of this call. In a frame, the embedding page shows it already. */
export function Masthead({ meeting }: { meeting: Meeting }) {
  const { organization } = useStore(meeting);
  return meeting.isFramed ? null : <OrganizationMast organization={organization} />;
}
