import type { MadeScimToken } from '#domain/scim/contract.ts';
import { CopiedField } from '#web/platform/copied-field.tsx';
import { t } from '#web/platform/texts.ts';
import { Button } from '#web/ui/button.tsx';
import { DialogActions } from '#web/ui/dialog.tsx';

interface MadeTokenProps {
  made: MadeScimToken;
  onDone: () => void;
}

/** A new token, shown only once. */
export function MadeToken({ made, onDone }: MadeTokenProps) {
  return (
    <div className="grid gap-4">
      <CopiedField
        label={t('scim.made.label', { name: made.name })}
        hint={t('scim.made.once')}
        value={made.token}
        texts={{ copy: t('scim.copy'), copied: t('scim.made.copied') }}
      />
      <DialogActions>
        <Button onClick={onDone}>{t('scim.made.done')}</Button>
      </DialogActions>
    </div>
  );
}
