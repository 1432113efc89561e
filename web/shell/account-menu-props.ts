import type { ReactNode } from 'react';

export interface AccountMenuProps {
  /** Somebody without an organization has nowhere to show the profile. */
  hasProfile: boolean;
  onNavigate: () => void;
  children: ReactNode;
}
