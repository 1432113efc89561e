import '#web/platform/profile-texts.ts';
import '#web/platform/player-texts.ts';
import '#web/platform/administration-texts.ts';
import '#web/platform/search-texts.ts';
import '#web/platform/api-texts.ts';
import '#web/platform/embedding-texts.ts';
import '#web/platform/webhook-texts.ts';
import '#web/platform/security-texts.ts';
import {
  AppWindow,
  Bell,
  CreditCard,
  KeyRound,
  LayoutTemplate,
  ListPlus,
  ListTodo,
  LockKeyhole,
  LogOut,
  type LucideIcon,
  Mic,
  Monitor,
  Moon,
  Plus,
  Search,
  Settings2,
  ShieldCheck,
  Sparkles,
  Sun,
  Terminal,
  UserPlus,
  UserRound,
  UsersRound,
  Webhook,
} from 'lucide-react';
import { type Permission, roleMay } from '#domain/auth/permissions.ts';
import { themes } from '#domain/looks.ts';
import { useUser } from '#web/auth/auth-provider.tsx';
import { useLogout } from '#web/auth/queries.ts';
import { leaveBy } from '#web/platform/hold-back.ts';
import { type TextKey, t } from '#web/platform/texts.ts';
import { chooseTheme } from '#web/platform/theme.ts';
import { adminItems, navItems } from '#web/shell/nav-items.ts';
import type { PaletteEntry } from './palette-entry.ts';
import { settingTitles } from './setting-titles.ts';
import { useGo } from './use-go.ts';

interface Place {
  to: string;
  title: TextKey;
  icon: LucideIcon;
  needs?: Permission;
}

const dialogs: readonly Place[] = [
  { to: '/app/rooms?room', title: 'rooms.create', icon: Plus, needs: 'rooms.create' },
  {
    to: '/app/playbooks?new',
    title: 'dashboard.newPlaybook',
    icon: ListPlus,
    needs: 'playbooks.create',
  },
  {
    to: '/app/playbooks?templates',
    title: 'playbooks.templates.title',
    icon: LayoutTemplate,
    needs: 'playbooks.create',
  },
  {
    to: '/app/settings/team?invite',
    title: 'team.invite.open',
    icon: UserPlus,
    needs: 'team.manage',
  },
  { to: '/app?start', title: 'start.title', icon: ListTodo, needs: 'rooms.create' },
  { to: '/app/search', title: 'search.title', icon: Search },
  { to: '/app/devices', title: 'devices.title', icon: Mic },
];

const settingsPages: readonly Place[] = [
  { to: 'profile', title: 'profile.title', icon: UserRound },
  { to: 'security', title: 'security.policy.title', icon: LockKeyhole, needs: 'security.manage' },
  { to: 'sso', title: 'sso.title', icon: KeyRound, needs: 'sso.manage' },
  { to: 'privacy', title: 'privacy.title', icon: ShieldCheck, needs: 'privacy.manage' },
  { to: 'ai', title: 'assistant.settings.title', icon: Sparkles, needs: 'privacy.manage' },
  { to: 'provisioning', title: 'scim.title', icon: UsersRound, needs: 'scim.manage' },
  { to: 'embedding', title: 'embedding.title', icon: AppWindow, needs: 'security.manage' },
  {
    to: 'notifications',
    title: 'notifications.title',
    icon: Bell,
    needs: 'webhooks.manage',
  },
  { to: 'webhooks', title: 'webhooks.title', icon: Webhook, needs: 'webhooks.manage' },
  { to: 'api', title: 'api.title', icon: Terminal },
  { to: 'billing', title: 'billing.title', icon: CreditCard, needs: 'billing.read' },
];

const themeIcons = { light: Sun, dark: Moon, system: Monitor };

/** The palette's actions, pages, and settings: those that the person's role may use. */
export function useFixedEntries() {
  const go = useGo();
  const { role } = useUser();
  const { mutate: logout } = useLogout();
  const isOpen = ({ needs }: Place) => !needs || (role !== null && roleMay(role, needs));
  const at = ({ to, title, icon }: Place): PaletteEntry => ({
    id: to,
    title: t(title),
    icon,
    go: go(to),
  });
  const pages = settingsPages.filter(isOpen);
  const actions: PaletteEntry[] = [
    ...dialogs.filter(isOpen).map(at),
    ...[...themes, 'system' as const].map((name) => ({
      id: `theme-${name}`,
      title: t(`shell.themes.${name}`),
      note: t('shell.theme'),
      icon: themeIcons[name],
      go: () => chooseTheme(themes.find((theme) => theme === name) ?? null),
    })),
    {
      id: 'log-out',
      title: t('shell.logout'),
      icon: LogOut,
      go: () => leaveBy(() => logout()),
    },
  ];
  const administers = role !== null && roleMay(role, 'team.manage');
  const shown = [...navItems, ...(administers ? adminItems : [])];
  const setting = (title: TextKey, to: string, page: string): PaletteEntry => ({
    id: `${to}-${title}`,
    title: t(title),
    note: page,
    icon: Settings2,
    go: go(to),
  });
  return {
    actions,
    pages: [
      ...shown.map(({ to, ...rest }) => ({ id: to, ...rest, go: go(to) })),
      ...pages.map((page) => at({ ...page, to: `/app/settings/${page.to}` })),
    ],
    settings: [
      ...settingTitles.organization.map((title) =>
        setting(title, '/app/settings', t('settings.title')),
      ),
      ...pages.flatMap(({ to, title: page }) =>
        (settingTitles[to] ?? []).map((title) => setting(title, `/app/settings/${to}`, t(page))),
      ),
    ],
  };
}
