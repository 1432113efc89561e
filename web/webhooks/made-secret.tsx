import '#web/platform/webhook-texts.ts';
import type { MadeWebhook } from '#domain/webhooks/contract.ts';
import { CopyButton } from '#web/platform/copy-button.tsx';
import { t } from '#web/platform/texts.ts';
import { Button } from '#web/ui/button.tsx';
import { DialogActions } from '#web/ui/dialog.tsx';
import { Field, inputClass } from '#web/ui/field.tsx';

/** A new secret, shown only once. */
export function MadeSecret({ made, onDone }: { made: MadeWebhook; onDone: () => void }) {
  return (
    <div className="grid gap-4">
      <Field label={t('webhooks.made.label')} hint={t('webhooks.made.once')}>
        {(input) => (
          <div className="grid grid-cols-[1fr_auto] items-center gap-2">
            <input
              {...input}
              readOnly
              value={made.secret}
              onFocus={(event) => event.target.select()}
              className={inputClass}
            />
            <CopyButton
              label={t('webhooks.made.copy')}
              done={t('webhooks.made.copied')}
              text={() => made.secret}
            />
          </div>
        )}
      </Field>
      <DialogActions>
        <Button onClick={onDone}>{t('webhooks.made.done')}</Button>
      </DialogActions>
    </div>
  );
}
