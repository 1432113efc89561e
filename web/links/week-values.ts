import { z } from 'zod';
import type { GuestAccess } from '#domain/links/contract.ts';
import { type OpeningHours, openingHours } from '#domain/rooms/opening-hours.ts';

const day = z.object({
  isOpen: z.boolean(),
  from: z.string(),
  to: z.string(),
  hasSecond: z.boolean(),
  from2: z.string(),
  to2: z.string(),
});
const fields = z.object({
  isLimited: z.boolean(),
  timeZone: z.string(),
  days: z.array(day),
  closedDays: z.array(z.string()),
});
/** Opening hours as form values: times that are switched off are kept. */
export type WeekValues = z.infer<typeof fields>;

/** Returns null for a room that is always open. A browser's field has 00:00 for the end of a day. */
export function hoursOf({
  isLimited,
  timeZone,
  days,
  closedDays,
}: WeekValues): OpeningHours | null {
  if (!isLimited) return null;
  const end = (time: string) => (time === '00:00' ? '24:00' : time);
  const week = days.map(({ isOpen, from, to, hasSecond, from2, to2 }) => [
    ...(isOpen ? [{ from, to: end(to) }] : []),
    ...(isOpen && hasSecond ? [{ from: from2, to: end(to2) }] : []),
  ]);
  return { timeZone, week, closedDays };
}

export function weekValuesOf(hours: GuestAccess['openingHours'], ownZone: string): WeekValues {
  const start = (time: string) => (time === '24:00' ? '00:00' : time);
  return {
    isLimited: hours !== null,
    timeZone: hours?.timeZone ?? ownZone,
    closedDays: hours?.closedDays ?? [],
    days: Array.from({ length: 7 }, (_, index) => {
      const [first, second] = hours
        ? (hours.week[index] ?? [])
        : index < 5
          ? [{ from: '09:00', to: '17:00' }]
          : [];
      return {
        isOpen: first !== undefined,
        from: first?.from ?? '09:00',
        to: start(first?.to ?? '17:00'),
        hasSecond: second !== undefined,
        from2: second?.from ?? '18:00',
        to2: start(second?.to ?? '20:00'),
      };
    }),
  };
}

/** Reports the contract's errors about the hours at the fields that they belong to. */
export const weekForm = fields.check((given) => {
  const hours = hoursOf(given.value);
  if (hours === null) return;
  for (const { path, message } of openingHours.safeParse(hours).error?.issues ?? []) {
    const [part, index, span, end] = path;
    const second = span === 1 ? '2' : '';
    const place =
      part !== 'week'
        ? path
        : index === undefined
          ? ['days']
          : ['days', index, `${String(end ?? 'from')}${end ? second : '2'}`];
    given.issues.push({ code: 'custom', message, path: place, input: given.value });
  }
});
