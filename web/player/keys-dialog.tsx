import { t } from '#web/platform/texts.ts';
import { Dialog } from '#web/ui/dialog.tsx';

const keys = [
  { name: 'play', keys: ['space', 'K'] },
  { name: 'skip', keys: ['J', 'L'] },
  { name: 'step', keys: ['←', '→'] },
  { name: 'tenth', keys: ['0', '9'] },
  { name: 'rate', keys: ['<', '>'] },
  { name: 'mute', keys: ['M'] },
  { name: 'fullscreen', keys: ['F'] },
  { name: 'transcript', keys: ['C'] },
  { name: 'help', keys: ['?'] },
] as const;

/** The player's keyboard shortcuts. */
export function KeysDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog
      open={open}
      onOpenChange={(isOpen) => isOpen || onClose()}
      title={t('player.keys.title')}
      closeLabel={t('common.close')}
    >
      <dl className="grid gap-2.5 text-sm">
        {keys.map(({ name, keys: pressed }) => (
          <div key={name} className="flex items-center justify-between gap-4">
            <dt>{t(`player.keys.${name}`)}</dt>
            <dd className="flex gap-1.5">
              {pressed.map((key) => (
                <kbd
                  key={key}
                  className="min-w-7 rounded border bg-muted px-1.5 py-0.5 text-center font-sans text-xs font-medium"
                >
                  {key === 'space' ? t('player.keys.space') : key}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
