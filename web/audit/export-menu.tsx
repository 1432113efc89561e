import { ChevronDown, Download } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { exportFormats } from '#domain/audit/contract.ts';
import { t } from '#web/platform/texts.ts';
import { Button } from '#web/ui/button.tsx';

/** Links to the log as a file, which the browser saves while it arrives. */
export function ExportMenu({ query }: { query: Record<string, string> }) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>
        <Button look="outline" size="small">
          <Download aria-hidden className="size-4" />
          {t('audit.export.title')}
          <ChevronDown aria-hidden className="size-4 text-muted-foreground" />
        </Button>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={4}
          collisionPadding={8}
          className="appear z-50 min-w-56 rounded-lg border bg-raised p-1 shadow-lg"
        >
          {exportFormats.map((format) => (
            <DropdownMenu.Item key={format} asChild>
              <a
                download
                href={`/api/audit-events/export?${new URLSearchParams({ format, ...query })}`}
                className="flex h-9 items-center rounded-md px-2.5 text-sm outline-none data-highlighted:bg-muted"
              >
                {t(`audit.export.${format}`)}
              </a>
            </DropdownMenu.Item>
          ))}
          <p className="px-2.5 py-1.5 text-xs text-muted-foreground">{t('audit.export.hint')}</p>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
