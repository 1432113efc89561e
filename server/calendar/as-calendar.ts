import ical, { ICalCalendarMethod } from 'ical-generator';
import { cleanLine } from '#server/mail/clean-name.ts';
import type { CalendarCall } from './store.ts';

/** Is increased when the same calls become another text, which calendar programs have to fetch again. */
export const calendarVersion = 1;

/** Returns the calls as iCalendar (RFC 5545): the same text as long as nothing has changed. */
export function asCalendar(calls: readonly CalendarCall[], home: string): string {
  const calendar = ical({
    name: 'Rapport',
    prodId: { company: 'Rapport', product: 'Calls', language: 'EN' },
    method: ICalCalendarMethod.PUBLISH,
  });
  for (const { id, topic, startedAt, endedAt } of calls)
    calendar.createEvent({
      id: `${id}@rapport`,
      start: startedAt,
      end: endedAt,
      stamp: endedAt,
      summary: cleanLine(topic),
      url: `${home}/app/calls/${id}`,
    });
  return calendar.toString();
}
