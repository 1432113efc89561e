import type { MadeApiToken } from '#domain/api/contract.ts';
import { ShownOnce } from '#web/platform/shown-once.tsx';
import { t } from '#web/platform/texts.ts';

/** A new token, shown only once. */
export function MadeToken({ made, onDone }: { made: MadeApiToken; onDone: () => void }) {
  return (
    <ShownOnce
      label={t('api.made.label', { name: made.name })}
      hint={t('api.made.once')}
      value={made.token}
      texts={{ copy: t('api.made.copy'), copied: t('api.made.copied'), done: t('api.made.done') }}
      onDone={onDone}
    />
  );
}
