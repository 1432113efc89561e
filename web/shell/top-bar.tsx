import type { OrgId } from '#domain/ids.ts';
import { OrganizationMark } from '#web/organizations/organization-mark.tsx';
import { useOrganization } from '#web/organizations/queries.ts';
import { PaletteIconButton } from '#web/palette/palette-button.tsx';
import { t } from '#web/platform/texts.ts';
import { ShellMenuButton } from '#web/shell/shell-menu.tsx';

/** Shown below 768 px, where the sidebar is a drawer. */
export function TopBar({ orgId }: { orgId: OrgId }) {
  const organization = useOrganization(orgId);
  return (
    <header className="sticky top-0 z-10 flex h-14 items-center gap-2 border-b bg-card/90 px-2 backdrop-blur md:hidden print:hidden">
      <ShellMenuButton />
      <OrganizationMark organization={organization} />
      <span className="min-w-0 flex-1 truncate text-sm font-semibold">
        {organization?.name ?? t('product')}
      </span>
      <PaletteIconButton />
    </header>
  );
}
