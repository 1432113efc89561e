import '#web/platform/player-texts.ts';
import { ChevronDown, Download } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import type { CallId } from '#domain/ids.ts';
import { transcriptFormats } from '#domain/transcripts/contract.ts';
import { t } from '#web/platform/texts.ts';
import { Button } from '#web/ui/button.tsx';

/** Links to the transcript as a file, which the browser saves while it arrives. */
export function ExportMenu({ callId }: { callId: CallId }) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>
        <Button look="outline" size="small" className="print:hidden">
          <Download aria-hidden className="size-4" />
          {t('transcript.export.title')}
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
          {transcriptFormats.map((format) => (
            <DropdownMenu.Item key={format} asChild>
              <a
                download
                href={`/api/calls/${callId}/transcript/export?format=${format}`}
                className="flex h-9 items-center rounded-md px-2.5 text-sm outline-none data-highlighted:bg-muted"
              >
                {t(`transcript.export.${format}`)}
              </a>
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
