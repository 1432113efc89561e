import { GripVertical, X } from 'lucide-react';
import type { ComponentProps, Ref } from 'react';
import { t } from '#web/platform/texts.ts';
import { Button } from '#web/ui/button.tsx';
import { inputClass } from '#web/ui/field.tsx';

interface ItemRowProps {
  ref: Ref<HTMLDivElement>;
  number: number;
  error: string | undefined;
  input: ComponentProps<'input'>;
  handle: ComponentProps<'button'>;
  onRemove: () => void;
}

export function ItemRow({ ref, number, error, input, handle, onRemove }: ItemRowProps) {
  return (
    <div ref={ref} className="grid grid-cols-[auto_1fr_auto] items-start gap-1">
      <button
        type="button"
        aria-label={t('playbooks.dialog.move', { number })}
        title={t('playbooks.dialog.moveHint')}
        className="grid h-9 w-6 cursor-grab touch-none place-items-center rounded-md text-muted-foreground select-none hover:text-foreground active:cursor-grabbing"
        {...handle}
      >
        <GripVertical aria-hidden className="size-4" />
      </button>
      <div className="grid gap-1">
        <input
          {...input}
          aria-label={t('playbooks.dialog.item', { number })}
          aria-invalid={error !== undefined}
          // Enter belongs to the list: only the button saves the playbook.
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
          className={inputClass}
        />
        {error && (
          <p role="alert" className="text-sm text-destructive">
            {error}
          </p>
        )}
      </div>
      <Button
        look="ghost"
        size="icon"
        aria-label={t('playbooks.dialog.remove', { number })}
        onClick={onRemove}
      >
        <X aria-hidden className="size-4" />
      </Button>
    </div>
  );
}
