import { clsx } from 'clsx';
import type { LucideIcon } from 'lucide-react';
import { MoreHorizontal } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import type { ReactNode } from 'react';
import { Button } from '#web/ui/button.tsx';

export interface MenuItem {
  title: string;
  /** A line below the title. */
  text?: string;
  icon: LucideIcon;
  onSelect: () => void;
  disabled?: boolean;
}

type MenuProps = { items: readonly MenuItem[] } & (
  | { label: string; trigger?: never }
  | { label?: never; trigger: ReactNode }
);

interface MenuFrameProps {
  trigger: ReactNode;
  /** The menu is at least this wide. */
  width: 'min-w-40' | 'min-w-56';
  children: ReactNode;
}

/** A menu behind its trigger. */
export function MenuFrame({ trigger, width, children }: MenuFrameProps) {
  return (
    // Not modal: a modal menu hides the page from screen readers, including its own button.
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={4}
          collisionPadding={8}
          className={clsx('appear z-50 rounded-lg border bg-raised p-1 shadow-lg', width)}
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

/** A menu of further actions, behind the trigger, or behind three dots. `label` names their target. */
export function Menu({ label, trigger, items }: MenuProps) {
  return (
    <MenuFrame
      width="min-w-40"
      trigger={
        trigger ?? (
          <Button look="ghost" size="icon" className="size-8" aria-label={label}>
            <MoreHorizontal aria-hidden className="size-4" />
          </Button>
        )
      }
    >
      {items.map(({ title, text, icon: Icon, onSelect, disabled = false }) => (
        <DropdownMenu.Item
          key={title}
          disabled={disabled}
          onSelect={onSelect}
          className="flex min-h-9 cursor-default items-center gap-2.5 rounded-md px-2.5 text-sm outline-none data-disabled:opacity-50 data-highlighted:bg-muted"
        >
          <Icon aria-hidden className="size-4 shrink-0 text-muted-foreground" />
          {text ? (
            <span className="max-w-64 py-2">
              <span className="block font-medium">{title}</span>
              <span className="block text-xs text-muted-foreground">{text}</span>
            </span>
          ) : (
            title
          )}
        </DropdownMenu.Item>
      ))}
    </MenuFrame>
  );
}
