import { z } from 'zod';

/** Six digits of an authenticator app, or a recovery code. Spaces and dashes are removed. */
export const secondFactorCode = z
  .string({ error: 'Please enter the code' })
  .trim()
  .min(1, 'Please enter the code')
  .max(40, 'Please enter the code')
  .transform((text) => text.replace(/[\s-]/g, '').toUpperCase());
