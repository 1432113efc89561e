import { locale } from '#web/texts/language.ts';

const format = new Intl.DateTimeFormat(locale, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
});

/** Formats an ISO date, such as “Fri, Mar 13”, unchanged in every time zone. */
export const dueDate = (day: string): string => format.format(new Date(`${day}T00:00:00Z`));
