import { z } from 'zod';

/** A day, UTC, in the years that PostgreSQL's dates and ours both have: 1 to 9999. */
export const day = z.iso
  .date('Please choose a date')
  .refine((text) => text > '0001-01-01', 'Please choose a date');
