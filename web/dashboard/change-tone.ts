import { formatNumber, t } from '#web/platform/texts.ts';

/** Spec section 2, Stat card. */
export function changeTone(change: string): 'good' | 'bad' | 'neutral' {
  if (change.startsWith('+') || change.includes('from last month')) return 'good';
  return change.startsWith('-') ? 'bad' : 'neutral';
}

/** '+12%' as the card says it; nothing where there was nothing to compare with. */
export function changeText(change: string | null): string | null {
  if (change === null) return null;
  return t(change.startsWith('-') ? 'dashboard.fallen' : 'dashboard.risen', {
    change: localChange(change),
  });
}

/** '-0.2' and '+12%' with the reader's decimal sign and space. */
function localChange(change: string): string {
  const [, sign = '', figure = '', percent = ''] = /^([+-])([\d.]+)(%?)$/.exec(change) ?? [];
  if (figure === '') return change;
  const value = percent
    ? t('dashboard.percent', { value: Number(figure) })
    : formatNumber(Number(figure));
  return sign + value;
}
