import type { GuestAccess } from '#domain/links/contract.ts';
import { locale } from '#web/texts/language.ts';

type Hours = NonNullable<GuestAccess['openingHours']>;

const weekdayNames = new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' });
const longWeekdayNames = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' });
/** 1 January 2024 was a Monday. */
const monday = (index: number) => new Date(Date.UTC(2024, 0, 1 + index));
const shortWeekday = (index: number) => weekdayNames.format(monday(index));
/** 0 is Monday. */
export const longWeekday = (index: number) => longWeekdayNames.format(monday(index));

/** Formats 'Mon – Fri 09:00–17:00, Sat 10:00–12:00': consecutive days with the same hours are combined. */
export function hoursText({ week }: Pick<Hours, 'week'>): string {
  const groups: { first: number; last: number; times: string }[] = [];
  week.forEach((spans, index) => {
    const times = spans.map(({ from, to }) => `${from}–${to}`).join(' + ');
    const before = groups.at(-1);
    if (before?.times === times) before.last = index;
    else groups.push({ first: index, last: index, times });
  });
  return groups
    .filter(({ times }) => times !== '')
    .map(({ first, last, times }) => `${daysText(first, last)} ${times}`)
    .join(', ');
}

const daysText = (first: number, last: number) =>
  first === last ? shortWeekday(first) : `${shortWeekday(first)} – ${shortWeekday(last)}`;
