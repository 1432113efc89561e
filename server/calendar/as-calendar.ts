import { setImmediate } from 'node:timers/promises';
import ical, { ICalCalendarMethod } from 'ical-generator';
import { cleanLine } from '#server/mail/clean-name.ts';
import type { CalendarCall } from './store.ts';

/** Is increased when the same calls become another text, which calendar programs have to fetch again. */
export const calendarVersion = 1;

/** Calls that are written at once: in two milliseconds. */
const atOnce = 25;
const [firstEvent, calendarEnd] = ['BEGIN:VEVENT', 'END:VCALENDAR'];

/**
 * Returns the calls as iCalendar (RFC 5545): the same text as long as nothing has changed. Other work goes on between
 * its parts.
 */
export async function asCalendar(calls: readonly CalendarCall[], home: string): Promise<string> {
  let all = calendarOf(calls.slice(0, atOnce), home);
  for (let at = atOnce; at < calls.length; at += atOnce) {
    await setImmediate();
    const more = calendarOf(calls.slice(at, at + atOnce), home);
    all = all.slice(0, all.lastIndexOf(calendarEnd)) + more.slice(more.indexOf(firstEvent));
  }
  return all;
}

function calendarOf(calls: readonly CalendarCall[], home: string): string {
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
