import {
  ChartColumn,
  LayoutDashboard,
  ListChecks,
  type LucideIcon,
  ScrollText,
  Settings,
  Users,
  Video,
} from 'lucide-react';
import { t } from '#web/platform/texts.ts';

export interface NavItem {
  to: string;
  title: string;
  icon: LucideIcon;
}

export const navItems: readonly NavItem[] = [
  { to: '/app', title: t('shell.nav.dashboard'), icon: LayoutDashboard },
  { to: '/app/rooms', title: t('shell.nav.rooms'), icon: Video },
  { to: '/app/playbooks', title: t('shell.nav.playbooks'), icon: ListChecks },
  { to: '/app/analytics', title: t('shell.nav.analytics'), icon: ChartColumn },
  { to: '/app/settings', title: t('shell.nav.settings'), icon: Settings },
];

/** For people who manage the organization (spec section 6). */
export const adminItems: readonly NavItem[] = [
  { to: '/app/settings/team', title: t('shell.adminNav.team'), icon: Users },
  { to: '/app/settings/audit-logs', title: t('shell.adminNav.auditLogs'), icon: ScrollText },
];

/**
 * Returns the item that the path belongs to: the path equals the item's link or continues it. The
 * longest match wins; otherwise Dashboard (`/app`) would always be active
 * (docs/product-decisions.md).
 */
export function activeItem(path: string, items: readonly { to: string }[]): string | undefined {
  return items
    .map(({ to }) => to)
    .filter((to) => path === to || path.startsWith(`${to}/`))
    .sort((a, b) => b.length - a.length)[0];
}
