import { clsx } from 'clsx';
import { Link } from 'react-router';
import type { NavItem } from '#web/shell/nav-items.ts';

interface NavLinksProps {
  items: readonly NavItem[];
  /** The link of the active item. */
  active: string | undefined;
  onNavigate: () => void;
}

export function NavLinks({ items, active, onNavigate }: NavLinksProps) {
  return items.map(({ to, title, icon: Icon }) => (
    <Link
      key={to}
      to={to}
      onClick={onNavigate}
      aria-current={to === active ? 'page' : undefined}
      className={clsx(
        'flex h-9 items-center gap-2.5 rounded-md px-2.5 text-sm font-medium',
        to === active
          ? 'bg-muted text-foreground'
          : 'text-muted-foreground hover:bg-muted/60 hover:text-foreground',
      )}
    >
      <Icon aria-hidden className="size-4" />
      {title}
    </Link>
  ));
}
