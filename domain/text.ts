import { z } from 'zod';

/**
 * A required text, trimmed.
 * @param missing error message if it is empty
 */
export const requiredText = (missing: string, longest: number) =>
  z
    .string({ error: missing })
    .trim()
    .min(1, missing)
    .max(longest, `Please use at most ${longest} characters`);

/** Puts letters of ASCII into lower case, and leaves others for `emailAddress` to refuse. */
export const withLowerCaseAscii = (text: string): string =>
  text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/**
 * An email address, trimmed and in lower case, so that neither creates a second one.
 * @param wrong error message for anything else
 */
export const emailAddress = (wrong: string) =>
  z
    .string({ error: wrong })
    .trim()
    // Some other letters have one of ASCII as their lower case, and would name the mailbox of another person.
    .refine((address) => /^[ -~]*$/.test(address), wrong)
    .toLowerCase()
    .max(254, wrong)
    .pipe(z.email(wrong));
