import type { MadeScimToken } from '#domain/scim/contract.ts';
import { ShownOnce } from '#web/platform/shown-once.tsx';
import { t } from '#web/platform/texts.ts';

/** A new token, shown only once. */
export function MadeToken({ made, onDone }: { made: MadeScimToken; onDone: () => void }) {
  return (
    <ShownOnce
      label={t('scim.made.label', { name: made.name })}
      hint={t('scim.made.once')}
      value={made.token}
      texts={{ copy: t('scim.copy'), copied: t('scim.made.copied'), done: t('scim.made.done') }}
      onDone={onDone}
    />
  );
}
