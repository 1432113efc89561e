import type { ReactNode } from 'react';

export interface AccountMenuProps {
  /** False for a person without an organization, for whom the profile page is not available. */
  hasProfile: boolean;
  onNavigate: () => void;
  children: ReactNode;
}
