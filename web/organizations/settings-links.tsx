import '#web/platform/security-texts.ts';
import { CreditCard, KeyRound, LockKeyhole, ShieldCheck, UsersRound } from 'lucide-react';
import { Link } from 'react-router';
import { type Permission, roleMay } from '#domain/auth/permissions.ts';
import { useUser } from '#web/auth/auth-provider.tsx';
import { t } from '#web/platform/texts.ts';
import { buttonClass } from '#web/ui/button.tsx';

const links = [
  {
    to: 'security',
    title: t('security.policy.open'),
    icon: LockKeyhole,
    needs: 'security.manage',
  },
  { to: 'sso', title: t('settings.sso'), icon: KeyRound, needs: 'sso.manage' },
  { to: 'privacy', title: t('settings.privacy'), icon: ShieldCheck, needs: 'privacy.manage' },
  { to: 'provisioning', title: t('settings.provisioning'), icon: UsersRound, needs: 'scim.manage' },
  { to: 'billing', title: t('settings.billing'), icon: CreditCard, needs: 'billing.read' },
] as const satisfies readonly { needs: Permission; to: string; title: string; icon: unknown }[];

/** Links to the settings pages that this person's role may open. */
export function SettingsLinks() {
  const { role } = useUser();
  const open = links.filter(({ needs }) => role !== null && roleMay(role, needs));
  return (
    <div className="flex flex-wrap gap-2">
      {open.map(({ to, title, icon: Icon }) => (
        <Link key={to} to={`/app/settings/${to}`} className={buttonClass({ look: 'outline' })}>
          <Icon aria-hidden className="size-4" />
          {title}
        </Link>
      ))}
    </div>
  );
}
