import { Command } from 'cmdk';
import { Search } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { useState } from 'react';
import type { PaletteEntry } from '#web/palette/palette-entry.ts';
import { usePaletteGroups } from '#web/palette/use-palette-groups.ts';
import { t } from '#web/platform/texts.ts';
import { useFocusReturn } from '#web/ui/use-focus-return.ts';

interface CommandPaletteProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Finds a room, a playbook, a page, a call, or an action by typing. */
export function CommandPalette({ open, onOpenChange }: CommandPaletteProps) {
  const focus = useFocusReturn();
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-50 bg-black/45 backdrop-blur-[2px]" />
        <Dialog.Content
          {...focus}
          aria-describedby={undefined}
          className="appear fixed inset-x-3 top-[10dvh] z-50 mx-auto max-w-xl overflow-hidden rounded-xl border bg-raised shadow-2xl"
        >
          <Dialog.Title className="sr-only">{t('palette.title')}</Dialog.Title>
          <Choices onChosen={() => onOpenChange(false)} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Choices({ onChosen }: { onChosen: () => void }) {
  const [typed, setTyped] = useState('');
  const { groups, count, isSearching } = usePaletteGroups(typed);
  const choose = (entry: PaletteEntry) => {
    onChosen();
    entry.go();
  };
  return (
    <Command shouldFilter={false} loop label={t('palette.title')}>
      <div className="flex items-center gap-3 border-b px-4">
        <Search aria-hidden className="size-4 shrink-0 text-muted-foreground" />
        <Command.Input
          value={typed}
          onValueChange={setTyped}
          maxLength={200}
          placeholder={t('palette.example')}
          className="h-12 w-full bg-transparent text-sm outline-none placeholder:text-muted-foreground"
        />
      </div>
      <Command.List label={t('palette.title')} className="max-h-[60dvh] overflow-y-auto p-2">
        {groups.map(({ title, entries }) => (
          <Command.Group
            key={title}
            heading={title}
            className="[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-3 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-muted-foreground"
          >
            {entries.map((entry) => (
              <Command.Item
                key={entry.id}
                value={entry.id}
                onSelect={() => choose(entry)}
                className="flex min-h-9 cursor-default items-center gap-2.5 rounded-md px-2.5 py-1.5 text-sm data-[selected=true]:bg-muted"
              >
                <entry.icon aria-hidden className="size-4 shrink-0 text-muted-foreground" />
                <span className="min-w-0 flex-1 truncate" title={entry.title}>
                  {entry.title}
                </span>
                {entry.note && (
                  <span className="shrink-0 text-xs text-muted-foreground">{entry.note}</span>
                )}
              </Command.Item>
            ))}
          </Command.Group>
        ))}
      </Command.List>
      {count === 0 && (
        <p className="px-4 pb-6 text-center text-sm text-muted-foreground">
          {t(isSearching ? 'palette.searching' : 'palette.nothing')}
        </p>
      )}
      <p role="status" className="sr-only">
        {isSearching ? '' : t('palette.results', { count })}
      </p>
    </Command>
  );
}
