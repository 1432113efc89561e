import { ChevronDown, Download } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { Button } from '#web/ui/button.tsx';
import { MenuFrame } from '#web/ui/menu.tsx';

interface DownloadMenuProps {
  label: string;
  links: readonly { title: string; href: string }[];
  /** Below the links. */
  hint?: string;
}

/** A menu of links to files, which the browser saves while they arrive. */
export function DownloadMenu({ label, links, hint }: DownloadMenuProps) {
  return (
    <MenuFrame
      width="min-w-56"
      trigger={
        <Button look="outline" size="small" className="print:hidden">
          <Download aria-hidden className="size-4" />
          {label}
          <ChevronDown aria-hidden className="size-4 text-muted-foreground" />
        </Button>
      }
    >
      {links.map(({ title, href }) => (
        <DropdownMenu.Item key={href} asChild>
          <a
            download
            href={href}
            className="flex h-9 items-center rounded-md px-2.5 text-sm outline-none data-highlighted:bg-muted"
          >
            {title}
          </a>
        </DropdownMenu.Item>
      ))}
      {hint && <p className="px-2.5 py-1.5 text-xs text-muted-foreground">{hint}</p>}
    </MenuFrame>
  );
}
