import { locale } from '#web/texts/language.ts';

// The server counts by days of UTC, so a date is shown unchanged in every time zone.
const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** Formats '2026-03-04' as 'Mar 4'. */
export const formatDay = (date: string) => day.format(new Date(`${date}T00:00:00Z`));
