import { z } from 'zod';

/** A text that must be there, without the spaces around it. @param missing what is said when it is not */
export const requiredText = (missing: string, longest: number) =>
  z
    .string({ error: missing })
    .trim()
    .min(1, missing)
    .max(longest, `Please use at most ${longest} characters`);

/** An address of mail. Case and spaces around it never make a second one. @param wrong what is said of any other */
export const emailAddress = (wrong: string) =>
  z.string({ error: wrong }).trim().toLowerCase().max(254, wrong).pipe(z.email(wrong));
