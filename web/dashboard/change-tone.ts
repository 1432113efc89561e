import { t } from '#web/platform/texts.ts';

/** Spec section 2, Stat card. */
export function changeTone(change: string): 'good' | 'bad' | 'neutral' {
  if (change.startsWith('+') || change.includes('from last month')) return 'good';
  return change.startsWith('-') ? 'bad' : 'neutral';
}

/** '+12%' as the card says it; nothing where there was nothing to compare with. */
export function changeText(change: string | null): string | null {
  if (change === null) return null;
  return t(change.startsWith('-') ? 'dashboard.fallen' : 'dashboard.risen', { change });
}
