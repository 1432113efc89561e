import { LogOut } from 'lucide-react';
import { useUser } from '#web/auth/auth-provider.tsx';
import { initialsOf, nameOf } from '#web/auth/person.ts';
import { useLogout } from '#web/auth/queries.ts';
import { t } from '#web/platform/texts.ts';
import { AccountMenu } from '#web/shell/account-menu.tsx';
import { Avatar } from '#web/ui/avatar.tsx';
import { Button } from '#web/ui/button.tsx';
import { Tooltip } from '#web/ui/tooltip.tsx';

export function UserFooter({ onNavigate = () => {} }: { onNavigate?: () => void }) {
  const user = useUser();
  const { mutate: logout, isPending } = useLogout();
  return (
    <div className="flex items-center gap-2 border-t p-2">
      <AccountMenu hasProfile={user.orgId !== null} onNavigate={onNavigate}>
        <Avatar name={nameOf(user)} initials={initialsOf(user)} imageUrl={user.profileImageUrl} />
        <span className="grid min-w-0">
          <span className="truncate text-sm font-medium">{nameOf(user)}</span>
          {user.role && (
            <span className="truncate text-xs text-muted-foreground">
              {t(`shell.roles.${user.role}`)}
            </span>
          )}
        </span>
      </AccountMenu>
      <Tooltip text={t('shell.logout')}>
        <Button
          look="ghost"
          size="icon"
          aria-label={t('shell.logout')}
          disabled={isPending}
          onClick={() => logout()}
        >
          <LogOut aria-hidden className="size-4" />
        </Button>
      </Tooltip>
    </div>
  );
}
