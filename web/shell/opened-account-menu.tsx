import '#web/platform/search-texts.ts';
import { ListTodo, Mic, Monitor, Moon, Search, Sun, UserRound } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { Link } from 'react-router';
import { themes } from '#domain/looks.ts';
import { useMay } from '#web/auth/use-may.ts';
import { t } from '#web/platform/texts.ts';
import { chooseTheme, useTheme } from '#web/platform/theme.ts';
import { AccountButton } from '#web/shell/account-button.tsx';
import type { AccountMenuProps } from '#web/shell/account-menu-props.ts';

const icons = { light: Sun, dark: Moon, system: Monitor };
const itemClass =
  'flex h-9 cursor-default items-center gap-2.5 rounded-md px-2.5 text-sm outline-none data-highlighted:bg-muted';

/** Initially open: `account-menu.tsx` loads it when the person opens the menu. */
export default function OpenedAccountMenu({ hasProfile, onNavigate, children }: AccountMenuProps) {
  const theme = useTheme();
  const mayStart = useMay('rooms.create');
  return (
    <DropdownMenu.Root modal={false} defaultOpen>
      <DropdownMenu.Trigger asChild>
        <AccountButton>{children}</AccountButton>
      </DropdownMenu.Trigger>
      {/* Not in a portal: the drawer is a modal dialog, and only its own children show above it. */}
      <DropdownMenu.Content
        side="top"
        align="start"
        sideOffset={6}
        collisionPadding={8}
        className="appear z-50 w-56 rounded-xl border bg-raised p-1 text-foreground shadow-xl"
      >
        {hasProfile && (
          <>
            <DropdownMenu.Item asChild className={itemClass}>
              <Link to="/app/settings/profile" onClick={onNavigate}>
                <UserRound aria-hidden className="size-4 text-muted-foreground" />
                {t('shell.profile')}
              </Link>
            </DropdownMenu.Item>
            <DropdownMenu.Item asChild className={itemClass}>
              <Link to="/app/search" onClick={onNavigate}>
                <Search aria-hidden className="size-4 text-muted-foreground" />
                {t('search.title')}
              </Link>
            </DropdownMenu.Item>
            <DropdownMenu.Item asChild className={itemClass}>
              <Link to="/app/devices" onClick={onNavigate}>
                <Mic aria-hidden className="size-4 text-muted-foreground" />
                {t('devices.title')}
              </Link>
            </DropdownMenu.Item>
            {mayStart && (
              <DropdownMenu.Item asChild className={itemClass}>
                <Link to="/app?start" onClick={onNavigate}>
                  <ListTodo aria-hidden className="size-4 text-muted-foreground" />
                  {t('start.title')}
                </Link>
              </DropdownMenu.Item>
            )}
            <DropdownMenu.Separator className="my-1 border-t" />
          </>
        )}
        <DropdownMenu.Label className="px-2.5 pt-1.5 pb-1 text-xs font-medium text-muted-foreground">
          {t('shell.theme')}
        </DropdownMenu.Label>
        <DropdownMenu.RadioGroup
          value={theme ?? 'system'}
          onValueChange={(value) => chooseTheme(themes.find((name) => name === value) ?? null)}
        >
          {[...themes, 'system' as const].map((name) => {
            const Icon = icons[name];
            return (
              <DropdownMenu.RadioItem key={name} value={name} className={itemClass}>
                <Icon aria-hidden className="size-4 text-muted-foreground" />
                {t(`shell.themes.${name}`)}
                <DropdownMenu.ItemIndicator className="ml-auto size-1.5 rounded-full bg-brand" />
              </DropdownMenu.RadioItem>
            );
          })}
        </DropdownMenu.RadioGroup>
      </DropdownMenu.Content>
    </DropdownMenu.Root>
  );
}
