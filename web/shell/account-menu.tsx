import { lazy, Suspense, useState } from 'react';
import { AccountButton } from '#web/shell/account-button.tsx';
import type { AccountMenuProps } from '#web/shell/account-menu-props.ts';

const load = () => import('#web/shell/opened-account-menu.tsx');
const Opened = lazy(load);

/**
 * The menu with the profile and the appearance, opened from the person in the sidebar's footer. Its
 * code is loaded when the pointer or the focus comes near, since every page has this menu.
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
