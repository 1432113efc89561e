import { locale } from '#web/texts/language.ts';

const format = new Intl.NumberFormat(locale, { style: 'percent' });

/** Spec section 9: confidence shown as a percent. */
export const formatPercent = (share: number): string => format.format(share);
