import '#web/platform/webhook-texts.ts';
import type { MadeWebhook } from '#domain/webhooks/contract.ts';
import { ShownOnce } from '#web/platform/shown-once.tsx';
import { t } from '#web/platform/texts.ts';

/** A new secret, shown only once. */
export function MadeSecret({ made, onDone }: { made: MadeWebhook; onDone: () => void }) {
  return (
    <ShownOnce
      label={t('webhooks.made.label')}
      hint={t('webhooks.made.once')}
      value={made.secret}
      texts={{
        copy: t('webhooks.made.copy'),
        copied: t('webhooks.made.copied'),
        done: t('webhooks.made.done'),
      }}
      onDone={onDone}
    />
  );
}
