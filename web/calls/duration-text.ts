import { durationParts } from '#domain/calls/rules.ts';
import { t } from '#web/platform/texts.ts';

/** Spec section 2, Recent Calls: 'Xm Ys', or 'Ys' under a minute, '0s' when missing. */
export function durationText(durationSec: number | null | undefined): string {
  const { minutes, seconds } = durationParts(durationSec);
  return minutes > 0
    ? t('calls.minutesSeconds', { minutes: `${minutes}`, seconds })
    : t('calls.seconds', { seconds });
}
