import { expect, test } from 'vitest';
import { calendarEntry } from './calendar-entry.ts';

const entry = (title: string, url = 'https://calls.example.com/join/abc') =>
  calendarEntry({
    title,
    url,
    from: '2026-11-23T08:00:00.000Z',
    to: '2026-11-23T16:00:00.000Z',
    now: '2026-11-21T10:00:00.000Z',
  });
/** Parses the summary like a calendar (RFC 5545, 3.1 and 3.3.11). */
const summaryOf = (file: string) =>
  /^SUMMARY:(.*)$/m
    .exec(file.replaceAll('\r\n ', '').replaceAll('\r', ''))?.[1]
    ?.replace(/\\([\\;,nN])/g, (_, sign) => (/n/i.test(sign) ? '\n' : sign));

test('a meeting is one event with its times in UTC, its link, and correct line endings', () => {
  const lines = entry('Review · Acme').split('\r\n');
  expect(lines.at(-1)).toBe('');
  for (const line of [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'BEGIN:VEVENT',
    'UID:20261123T080000Z-abc@rapport',
    'DTSTAMP:20261121T100000Z',
    'DTSTART:20261123T080000Z',
    'DTEND:20261123T160000Z',
    'SUMMARY:Review · Acme',
    'URL;VALUE=URI:https://calls.example.com/join/abc',
    'END:VCALENDAR',
  ])
    expect(lines).toContain(line);
});

test('attack 29: a topic cannot add lines or properties of its own', () => {
  const file = entry('a\r\nATTENDEE:mailto:eve@example.com\nEND:VEVENT;x,y\\z\u0007');
  expect(file.match(/^ATTENDEE/m)).toBe(null);
  expect(file.match(/^END:VEVENT\r$/gm)).toHaveLength(1);
  expect(summaryOf(file)).toBe('a\nATTENDEE:mailto:eve@example.com\nEND:VEVENT;x,y\\z ');
});

test('R6-10: a URL cannot add lines or properties of its own', () => {
  const url = 'https://x.example.com/join/abc\r\nATTENDEE:mailto:eve@example.com\nX:\u0007';
  const file = entry('Review', url);
  expect(file.match(/^ATTENDEE/m)).toBe(null);
  expect(file.replaceAll('\r\n', '')).not.toMatch(/\p{Cc}/u);
});

test('long titles are folded at 75 octets, never within a character', () => {
  const title = 'Überprüfung 👩‍💻 '.repeat(20).trim();
  const file = entry(title);
  for (const line of file.split('\r\n')) {
    expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    expect(line).not.toContain('\uFFFD');
  }
  expect(summaryOf(file)).toBe(title);
});
