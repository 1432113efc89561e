import type { Meeting } from './meeting.ts';
import { OrganizationMast } from './organization-mast.tsx';
import { useStore } from './use-store.ts';

/** Whose call this is. In a frame the page around it says so already. */
export function Masthead({ meeting }: { meeting: Meeting }) {
  const { organization } = useStore(meeting);
  return meeting.isFramed ? null : <OrganizationMast organization={organization} />;
}
