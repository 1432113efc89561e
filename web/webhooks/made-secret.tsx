import '#web/platform/webhook-texts.ts';
import type { MadeWebhook } from '#domain/webhooks/contract.ts';
import { CopiedField } from '#web/platform/copied-field.tsx';
import { t } from '#web/platform/texts.ts';
import { Button } from '#web/ui/button.tsx';
import { DialogActions } from '#web/ui/dialog.tsx';

/** A new secret, shown only once. */
export function MadeSecret({ made, onDone }: { made: MadeWebhook; onDone: () => void }) {
  return (
    <div className="grid gap-4">
      <CopiedField
        label={t('webhooks.made.label')}
        hint={t('webhooks.made.once')}
        value={made.secret}
        texts={{ copy: t('webhooks.made.copy'), copied: t('webhooks.made.copied') }}
      />
      <DialogActions>
        <Button onClick={onDone}>{t('webhooks.made.done')}</Button>
      </DialogActions>
    </div>
  );
}
