import { z } from 'zod';

/** A setting of a provider; blank counts as unset. */
export const blankIsUnset = z
  .string()
  .trim()
  .transform((value) => value || undefined)
  .optional();

/** A setting that must be acceptable where it is set. `error` says what to give. */
export const when = (accepts: (value: string) => boolean, error: string) =>
  blankIsUnset.refine((value) => value === undefined || accepts(value), { error });
