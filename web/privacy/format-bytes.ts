import { locale } from '#web/texts/language.ts';

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** Returns a size in the largest unit of which there is one, in the reader's language: 1.5 GB. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.floor(Math.log2(bytes) / 10);
  const at = Math.min(units.length - 1, power);
  const format = { style: 'unit', unit: units[at], unitDisplay: 'short' } as const;
  return new Intl.NumberFormat(locale, { ...format, maximumFractionDigits: 1 }).format(
    bytes / 1024 ** at,
  );
}
