import type { MadeScimToken } from '#domain/scim/contract.ts';
import { CopyButton } from '#web/platform/copy-button.tsx';
import { t } from '#web/platform/texts.ts';
import { Button } from '#web/ui/button.tsx';
import { DialogActions } from '#web/ui/dialog.tsx';
import { Field, inputClass } from '#web/ui/field.tsx';

interface MadeTokenProps {
  made: MadeScimToken;
  onDone: () => void;
}

/** A new token, shown only once. */
export function MadeToken({ made, onDone }: MadeTokenProps) {
  return (
    <div className="grid gap-4">
      <Field label={t('scim.made.label', { name: made.name })} hint={t('scim.made.once')}>
        {(input) => (
          <div className="grid grid-cols-[1fr_auto] items-center gap-2">
            <input
              {...input}
              readOnly
              value={made.token}
              onFocus={(event) => event.target.select()}
              className={inputClass}
            />
            <CopyButton
              label={t('scim.copy')}
              done={t('scim.made.copied')}
              text={() => made.token}
            />
          </div>
        )}
      </Field>
      <DialogActions>
        <Button onClick={onDone}>{t('scim.made.done')}</Button>
      </DialogActions>
    </div>
  );
}
