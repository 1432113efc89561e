import { ICalCalendar, ICalCalendarMethod } from 'ical-generator';

interface CalendarEntry {
  title: string;
  url: string;
  /** ISO 8601, like the other times. */
  from: string;
  to: string;
  now: string;
}

/**
 * Returns one meeting as an iCalendar file (RFC 5545). No value can add a line: control characters,
 * which have no place in a line (3.1), become spaces.
 */
export function calendarEntry({ title, url, from, to, now }: CalendarEntry): string {
  const calendar = new ICalCalendar({
    prodId: '//Rapport//Rapport 1//EN',
    method: ICalCalendarMethod.PUBLISH,
  });
  const link = oneLine(url);
  calendar.createEvent({
    // Adding the same meeting of the same link again updates its entry.
    id: `${withoutPunctuation(from)}-${link.split('/').at(-1)?.slice(-24)}@rapport`,
    stamp: now,
    start: from,
    end: to,
    summary: title.replace(/\r\n?/g, '\n').replace(controlExceptLineFeed, ' '),
    description: link,
    location: link,
    url: link,
  });
  return `${calendar.toString()}\r\n`;
}

const controlExceptLineFeed = /(?!\n)\p{Cc}/gu;
const oneLine = (text: string) => text.replace(/\p{Cc}/gu, ' ');

/** `20261123T080000Z` (3.3.5, form 2). */
const withoutPunctuation = (iso: string) => iso.replace(/\.\d+/, '').replace(/[-:]/g, '');
