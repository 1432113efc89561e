import { isTimeZone } from '#domain/rooms/opening-hours.ts';

/** Returns the reader's time zone; null where the browser does not name one. */
export function ownTimeZone(): string | null {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return zone && isTimeZone(zone) ? zone : null;
}
