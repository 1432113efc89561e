import { lazy, type ReactNode, Suspense, useState } from 'react';
import { AccountButton } from '#web/shell/account-button.tsx';

const load = () => import('#web/shell/opened-account-menu.tsx');
const Opened = lazy(load);

export interface AccountMenuProps {
  /** Somebody without an organization has nowhere to show the profile. */
  hasProfile: boolean;
  onNavigate: () => void;
  children: ReactNode;
}

/**
 * Opens from the person in the sidebar's footer: the profile, and how pages look. What a menu needs is loaded
 * when somebody comes near it, since every page has this one.
 */
export function AccountMenu(props: AccountMenuProps) {
  const [isWanted, setWanted] = useState(false);
  const come = () => void load().catch(() => {});
  const button = (
    <AccountButton
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={come}
      onFocus={come}
      onClick={() => setWanted(true)}
    >
      {props.children}
    </AccountButton>
  );
  if (!isWanted) return button;
  return (
    <Suspense fallback={button}>
      <Opened {...props} />
    </Suspense>
  );
}
