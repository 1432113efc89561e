import type { MadeApiToken } from '#domain/api/contract.ts';
import { CopiedField } from '#web/platform/copied-field.tsx';
import { t } from '#web/platform/texts.ts';
import { Button } from '#web/ui/button.tsx';
import { DialogActions } from '#web/ui/dialog.tsx';

/** A new token, shown only once. */
export function MadeToken({ made, onDone }: { made: MadeApiToken; onDone: () => void }) {
  return (
    <div className="grid gap-4">
      <CopiedField
        label={t('api.made.label', { name: made.name })}
        hint={t('api.made.once')}
        value={made.token}
        texts={{ copy: t('api.made.copy'), copied: t('api.made.copied') }}
      />
      <DialogActions>
        <Button onClick={onDone}>{t('api.made.done')}</Button>
      </DialogActions>
    </div>
  );
}
