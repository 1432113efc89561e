import { z } from 'zod';
import { email } from '#domain/auth/contract.ts';
import { contract } from '#domain/contract.ts';
import { plansOfInterest } from './plans-of-interest.ts';

const required = (missing: string) =>
  z
    .string({ error: missing })
    .trim()
    .min(1, missing)
    .max(100, 'Please use at most 100 characters')
    // The fields appear in a mail's subject and lines, which must not contain line breaks.
    .transform((value) => value.replace(/\s+/g, ' '));

/** Spec section 3, the contact form's fields; section 5 says which are required. */
export const contactBody = z.object({
  firstName: required('First name is required'),
  lastName: required('Last name is required'),
  email,
  company: required('Company name is required'),
  phone: z.string().trim().max(40, 'Please use at most 40 characters').default(''),
  planInterest: z.enum([...plansOfInterest, ''], { error: 'Please choose a plan' }).default(''),
  message: z.string().trim().max(5000, 'Please use at most 5000 characters').default(''),
  /** Hidden from people. Programs that fill in every field fill it in. */
  website: z.string().max(200).default(''),
});
export type ContactBody = z.infer<typeof contactBody>;

export const sendContact = contract({
  method: 'POST',
  path: '/api/contact',
  rateLimit: { name: 'contact', most: 5, windowSeconds: 3600 },
  // 5,000 characters of up to three bytes, or of six where they are escaped.
  bodyLimit: 32 * 1024,
  summary: 'Write to the operator, where a CONTACT_INBOX is set',
  permission: 'public',
  body: contactBody,
  output: { 204: null },
  errors: [404, 429],
});
