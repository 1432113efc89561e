import { locale } from '#web/texts/language.ts';

/** Formats an amount in the currency's smallest unit, such as cents. */
export function formatMoney({ amount, currency }: { amount: number; currency: string }): string {
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  return format.format(amount / 10 ** digits);
}

export const formatDay = (at: string): string =>
  new Date(at).toLocaleDateString(locale, { dateStyle: 'long' });
