import { formatNumber, t } from '#web/platform/texts.ts';

/** Spec section 2, Stat card. */
export function changeTone(change: string): 'good' | 'bad' | 'neutral' {
  if (change.startsWith('+') || change.includes('from last month')) return 'good';
  return change.startsWith('-') ? 'bad' : 'neutral';
}

/** Formats '+12%' for the card; null if there was no earlier value. `ofPeriod`: of a chosen period. */
export function changeText(change: string | null, ofPeriod = false): string | null {
  if (change === null) return null;
  const shown = { change: localChange(change) };
  return ofPeriod ? t('dashboard.periodChange', shown) : t('dashboard.change', shown);
}

/** Formats '-0.2' and '+12%' with the reader's decimal sign and space. */
function localChange(change: string): string {
  const [, sign = '', figure = '', percent = ''] = /^([+-])([\d.]+)(%?)$/.exec(change) ?? [];
  if (figure === '') return change;
  const shownSign = Number(figure) === 0 ? '' : sign;
  const value = percent
    ? t('dashboard.percent', { value: Number(figure) })
    : formatNumber(Number(figure));
  return shownSign + value;
}
