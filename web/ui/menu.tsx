import type { LucideIcon } from 'lucide-react';
import { MoreHorizontal } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { Button } from '#web/ui/button.tsx';

export interface MenuItem {
  title: string;
  icon: LucideIcon;
  onSelect: () => void;
  disabled?: boolean;
}

/** A menu of further actions, behind three dots. `label` names their target. */
export function Menu({ label, items }: { label: string; items: readonly MenuItem[] }) {
  return (
    // Not modal: a modal menu hides the page from screen readers, including its own button.
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>
        <Button look="ghost" size="icon" className="size-8" aria-label={label}>
          <MoreHorizontal aria-hidden className="size-4" />
        </Button>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={4}
          collisionPadding={8}
          className="appear z-50 min-w-40 rounded-lg border bg-raised p-1 shadow-lg"
        >
          {items.map(({ title, icon: Icon, onSelect, disabled = false }) => (
            <DropdownMenu.Item
              key={title}
              disabled={disabled}
              onSelect={onSelect}
              className="flex h-9 cursor-default items-center gap-2.5 rounded-md px-2.5 text-sm outline-none data-disabled:opacity-50 data-highlighted:bg-muted"
            >
              <Icon aria-hidden className="size-4 text-muted-foreground" />
              {title}
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
