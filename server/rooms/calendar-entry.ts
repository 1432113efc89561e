interface CalendarEntry {
  title: string;
  url: string;
  /** ISO 8601, like the other times. */
  from: string;
  to: string;
  now: string;
}

/**
 * Returns one meeting as an iCalendar file (RFC 5545). No value can end its line: control characters, which
 * have no place in a line (3.1), become spaces.
 */
export function calendarEntry({ title, url, from, to, now }: CalendarEntry): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Rapport//Rapport 1//EN',
    'METHOD:PUBLISH',
    'BEGIN:VEVENT',
    // Adding the same meeting of the same link again updates its entry.
    `UID:${escaped(`${moment(from)}-${url.split('/').at(-1)?.slice(-24)}@rapport`)}`,
    `DTSTAMP:${moment(now)}`,
    `DTSTART:${moment(from)}`,
    `DTEND:${moment(to)}`,
    `SUMMARY:${escaped(title)}`,
    `DESCRIPTION:${escaped(url)}`,
    `LOCATION:${escaped(url)}`,
    `URL:${url}`,
    'END:VEVENT',
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${folded(line.replace(/\p{Cc}/gu, ' '))}\r\n`).join('');
}

/** `20261123T080000Z` (3.3.5, form 2). */
const moment = (iso: string) => `${iso.replace(/\.\d+/, '').replace(/[-:]/g, '')}`;

/** Escapes a text value (3.3.11). */
const escaped = (text: string) =>
  text
    .replace(/\r\n?|\n/g, '\n')
    .replace(/[\\;,]/g, (sign) => `\\${sign}`)
    .replaceAll('\n', '\\n');

const longestLine = 75;

/** Folds lines to at most 75 octets, never within a character (3.1). */
function folded(line: string): string {
  const parts = [''];
  let octets = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (octets + size > longestLine) {
      parts.push(' ');
      octets = 1;
    }
    parts[parts.length - 1] += character;
    octets += size;
  }
  return parts.join('\r\n');
}
