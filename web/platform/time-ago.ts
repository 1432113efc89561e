import { locale } from '#web/texts/language.ts';

const minuteMs = 60_000;
const units = [
  { unit: 'year', ms: 365 * 24 * 60 * minuteMs },
  { unit: 'month', ms: 30 * 24 * 60 * minuteMs },
  { unit: 'day', ms: 24 * 60 * minuteMs },
  { unit: 'hour', ms: 60 * minuteMs },
  { unit: 'minute', ms: minuteMs },
] as const;

const format = new Intl.RelativeTimeFormat(locale, { numeric: 'always' });

/** Formats as '5 minutes ago'; null for less than a minute, and if the clock is behind the server's. */
export function timeAgo(iso: string, now: Date): string | null {
  const passedMs = now.getTime() - Date.parse(iso);
  const fitting = units.find(({ ms }) => passedMs >= ms);
  return fitting ? format.format(-Math.floor(passedMs / fitting.ms), fitting.unit) : null;
}

const dateTime = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });

/** Formats a date and time in the reader's locale and time zone. */
export const formatDateTime = (iso: string) => dateTime.format(new Date(iso));

const time = new Intl.DateTimeFormat(locale, { timeStyle: 'short' });

/** Formats a time of day, where the date is shown already. */
export const formatTime = (iso: string) => time.format(new Date(iso));
