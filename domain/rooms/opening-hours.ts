import { z } from 'zod';

const wrongTime = 'Please enter a time like 09:00';
const startTime = z.string({ error: wrongTime }).regex(/^([01]\d|2[0-3]):[0-5]\d$/, wrongTime);
const endTime = z
  .string({ error: wrongTime })
  .regex(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/, wrongTime);

const span = z.object({ from: startTime, to: endTime }).refine(({ from, to }) => from < to, {
  message: 'The end must be after the start',
  path: ['to'],
});

const day = z
  .array(span)
  .max(2, 'Please use at most two time slots per day')
  .refine(([first, second]) => !first || !second || first.to <= second.from, {
    message: 'The second time slot must start after the first ends',
  });

/**
 * The names of three letters that end like abbreviations. Of others, such as "IST", `Intl` guesses the meaning, and
 * Temporal refuses them.
 */
const shortNames = new Set(['CET', 'EET', 'EST', 'GMT', 'HST', 'MET', 'MST', 'WET']);

/**
 * Returns whether this is a name of the IANA time zone database known to this program. Offsets such
 * as +01:00, and abbreviations, are not.
 */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][\w+-]*(\/[\w+-]+)*$/.test(name)) return false;
  if (/^..T$/i.test(name) && !shortNames.has(name.toUpperCase())) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/**
 * When a room is open to guests. Times are local times in `timeZone`, including its daylight
 * saving; `24:00` is the end of the day.
 */
export const openingHours = z
  .object({
    timeZone: z.string().refine(isTimeZone, 'Please choose a time zone'),
    /** Monday first (ISO 8601), with up to two spans a day. */
    week: z.array(day).length(7),
    /** Single days on which the room stays closed. */
    closedDays: z.array(z.iso.date()).max(100, 'Please add at most 100 closed days'),
  })
  .refine(({ week }) => week.some((spans) => spans.length > 0), {
    message: 'Please open the room on at least one day',
    path: ['week'],
  });
export type OpeningHours = z.infer<typeof openingHours>;

/** The opening hours in answers: stored values have passed the rules above. */
export const keptOpeningHours = z.object({
  timeZone: z.string(),
  week: z.array(z.array(z.object({ from: z.string(), to: z.string() }))),
  closedDays: z.array(z.string()),
});
