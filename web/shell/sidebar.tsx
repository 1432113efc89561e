import { useLocation } from 'react-router';
import type { OrgId } from '#domain/ids.ts';
import { useMay } from '#web/auth/use-may.ts';
import { OrganizationMark } from '#web/organizations/organization-mark.tsx';
import { useOrganization } from '#web/organizations/queries.ts';
import { PaletteButton } from '#web/palette/palette-button.tsx';
import { t } from '#web/platform/texts.ts';
import { activeItem, adminItems, navItems } from '#web/shell/nav-items.ts';
import { NavLinks } from '#web/shell/nav-links.tsx';
import { UserFooter } from '#web/shell/user-footer.tsx';

interface SidebarProps {
  orgId: OrgId;
  onNavigate: () => void;
}

export function Sidebar({ orgId, onNavigate }: SidebarProps) {
  const { pathname } = useLocation();
  const organization = useOrganization(orgId);
  const administers = useMay('team.manage');
  const active = activeItem(pathname, administers ? [...navItems, ...adminItems] : navItems);
  return (
    <div className="flex h-full flex-col bg-card">
      <div className="flex h-14 items-center gap-2.5 border-b px-4">
        <OrganizationMark organization={organization} />
        <div className="min-w-0 leading-tight">
          <p className="truncate text-sm font-semibold">{organization?.name ?? t('product')}</p>
          <p className="text-xs text-muted-foreground">
            {organization && t(`shell.plans.${organization.plan}`)}
          </p>
        </div>
      </div>
      <div className="px-3 pt-3">
        <PaletteButton onOpen={onNavigate} />
      </div>
      <nav
        aria-label={t('shell.navigation')}
        className="grid min-h-0 content-start gap-0.5 overflow-y-auto p-3"
      >
        <NavLinks items={navItems} active={active} onNavigate={onNavigate} />
        {administers && (
          <>
            <h2 className="px-2.5 pt-5 pb-1 text-xs font-medium text-muted-foreground">
              {t('shell.administration')}
            </h2>
            <NavLinks items={adminItems} active={active} onNavigate={onNavigate} />
          </>
        )}
      </nav>
      <div className="mt-auto">
        <UserFooter onNavigate={onNavigate} />
      </div>
    </div>
  );
}
