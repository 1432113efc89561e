import '#web/platform/api-texts.ts';
import '#web/platform/embedding-texts.ts';
import '#web/platform/webhook-texts.ts';
import '#web/platform/player-texts.ts';
import '#web/platform/security-texts.ts';
import { clsx } from 'clsx';
import {
  AppWindow,
  Bell,
  Building2,
  CreditCard,
  KeyRound,
  LockKeyhole,
  type LucideIcon,
  ShieldCheck,
  Sparkles,
  Terminal,
  UserRound,
  UsersRound,
  Webhook,
} from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { Link, useLocation } from 'react-router';
import { type Permission, roleMay } from '#domain/auth/permissions.ts';
import { useUser } from '#web/auth/auth-provider.tsx';
import { t } from '#web/platform/texts.ts';

interface SettingsItem {
  to: `/app/settings${string}`;
  title: string;
  icon: LucideIcon;
  /** Absent for pages that everyone may open. */
  needs?: Permission;
}

const account: readonly SettingsItem[] = [
  { to: '/app/settings/profile', title: t('settings.nav.profile'), icon: UserRound },
];
const organization: readonly SettingsItem[] = [
  { to: '/app/settings', title: t('settings.nav.general'), icon: Building2 },
  {
    to: '/app/settings/security',
    title: t('security.policy.open'),
    icon: LockKeyhole,
    needs: 'security.manage',
  },
  { to: '/app/settings/sso', title: t('settings.sso'), icon: KeyRound, needs: 'sso.manage' },
  {
    to: '/app/settings/provisioning',
    title: t('settings.provisioning'),
    icon: UsersRound,
    needs: 'scim.manage',
  },
  {
    to: '/app/settings/privacy',
    title: t('settings.privacy'),
    icon: ShieldCheck,
    needs: 'privacy.manage',
  },
  {
    to: '/app/settings/ai',
    title: t('assistant.settings.title'),
    icon: Sparkles,
    needs: 'privacy.manage',
  },
  {
    to: '/app/settings/embedding',
    title: t('embedding.title'),
    icon: AppWindow,
    needs: 'security.manage',
  },
  {
    to: '/app/settings/notifications',
    title: t('notifications.title'),
    icon: Bell,
    needs: 'webhooks.manage',
  },
  {
    to: '/app/settings/webhooks',
    title: t('webhooks.title'),
    icon: Webhook,
    needs: 'webhooks.manage',
  },
  { to: '/app/settings/api', title: t('api.title'), icon: Terminal },
  {
    to: '/app/settings/billing',
    title: t('settings.billing'),
    icon: CreditCard,
    needs: 'billing.read',
  },
];

/** A page of the settings, beside links to the others that this person's role may open. */
export function SettingsFrame({ children }: { children: ReactNode }) {
  const links = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  // On a narrow width the links are one line that scrolls.
  useEffect(() => {
    const line = links.current;
    const current = line?.querySelector(`a[href="${pathname}"]`);
    if (!line || !current) return;
    const [around, own] = [line.getBoundingClientRect(), current.getBoundingClientRect()];
    line.scrollLeft += own.left - around.left - (around.width - own.width) / 2;
  }, [pathname]);
  return (
    <div className="grid grid-cols-1 gap-x-8 gap-y-6 lg:grid-cols-[11.5rem_minmax(0,1fr)] print:block">
      <nav
        ref={links}
        aria-label={t('settings.nav.label')}
        className="-mx-4 flex gap-x-6 gap-y-5 overflow-x-auto px-4 pb-1 lg:sticky lg:top-8 lg:mx-0 lg:grid lg:self-start lg:overflow-visible lg:px-0 print:hidden"
      >
        <Group title={t('settings.nav.account')} items={account} />
        <Group title={t('settings.nav.organization')} items={organization} />
      </nav>
      <div className="min-w-0">{children}</div>
    </div>
  );
}

function Group({ title, items }: { title: string; items: readonly SettingsItem[] }) {
  const { role } = useUser();
  const { pathname } = useLocation();
  const open = items.filter(({ needs }) => !needs || (role !== null && roleMay(role, needs)));
  return (
    <div className="flex gap-1 lg:grid">
      <p className="hidden px-2.5 pb-1 text-xs text-muted-foreground lg:block">{title}</p>
      {open.map(({ to, title, icon: Icon }) => (
        <Link
          key={to}
          to={to}
          aria-current={to === pathname ? 'page' : undefined}
          className={clsx(
            'flex h-8 shrink-0 items-center gap-2.5 rounded-md px-2.5 text-sm whitespace-nowrap',
            to === pathname
              ? 'bg-muted font-medium text-foreground'
              : 'text-muted-foreground hover:bg-muted/60 hover:text-foreground',
          )}
        >
          <Icon aria-hidden className="size-4" />
          {title}
        </Link>
      ))}
    </div>
  );
}
