import { clsx } from 'clsx';
import { Link, useLocation } from 'react-router';
import type { OrgId } from '#domain/ids.ts';
import { useOrganization } from '#web/organizations/queries.ts';
import { t } from '#web/platform/texts.ts';
import { activeItem, navItems } from '#web/shell/nav-items.ts';
import { UserFooter } from '#web/shell/user-footer.tsx';

interface SidebarProps {
  orgId: OrgId;
  onNavigate: () => void;
}

export function Sidebar({ orgId, onNavigate }: SidebarProps) {
  const { pathname } = useLocation();
  const organization = useOrganization(orgId);
  const active = activeItem(pathname, navItems);
  return (
    <div className="flex h-full flex-col bg-card">
      <div className="flex h-14 items-center gap-2.5 border-b px-4">
        <img src="/icon.svg" alt="" className="size-7" />
        <div className="min-w-0 leading-tight">
          <p className="truncate text-sm font-semibold">{organization?.name ?? t('product')}</p>
          <p className="text-xs text-muted-foreground">{t('shell.plan')}</p>
        </div>
      </div>
      <nav aria-label={t('shell.navigation')} className="grid content-start gap-0.5 p-3">
        {navItems.map(({ to, title, icon: Icon }) => (
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
        ))}
      </nav>
      <div className="mt-auto">
        <UserFooter />
      </div>
    </div>
  );
}
