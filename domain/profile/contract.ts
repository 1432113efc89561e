import { z } from 'zod';
import { password, personName, signedInUser, signInMethods } from '#domain/auth/contract.ts';
import { contract } from '#domain/contract.ts';
import { languages } from '#domain/languages.ts';

/** Absent fields stay unchanged. With `language: null` the browser's language is used. */
export const updateProfileBody = z.object({
  firstName: personName('First name is required').optional(),
  lastName: personName('Last name is required').optional(),
  language: z.enum(languages, { error: 'Please choose a language' }).nullable().optional(),
});
export type UpdateProfileBody = z.infer<typeof updateProfileBody>;

export const updateProfile = contract({
  method: 'PUT',
  path: '/api/user',
  summary: 'Change your own name or language',
  permission: 'session',
  body: updateProfileBody,
  output: { 200: signedInUser },
  errors: [400, 429],
});

/** Limits of an uploaded portrait, before it is decoded and drawn again. */
export const portraitMostBytes = 2 * 1024 * 1024;
export const portraitTypes = ['image/png', 'image/jpeg', 'image/webp'] as const;

export const uploadPortrait = contract({
  method: 'POST',
  path: '/api/user/picture',
  summary: 'Set your picture: a PNG, JPEG or WebP file of at most 2 MB; your organization sees it',
  permission: 'session',
  file: { mostBytes: portraitMostBytes },
  output: { 200: signedInUser },
  errors: [403, 413, 415, 429],
});

export const removePortrait = contract({
  method: 'DELETE',
  path: '/api/user/picture',
  summary: 'Remove your picture',
  permission: 'session',
  output: { 200: signedInUser },
  errors: [403],
});

export const changePasswordBody = z.object({
  currentPassword: z
    .string({ error: 'Please enter your current password' })
    .min(1, 'Please enter your current password')
    .max(200, 'Password must be at most 200 characters'),
  newPassword: password,
});

export const changePassword = contract({
  method: 'PUT',
  path: '/api/user/password',
  summary: 'Change your password; ends your other sessions',
  permission: 'session',
  body: changePasswordBody,
  output: { 204: null },
  errors: [400, 409, 429],
});

export const session = z.object({
  id: z.uuid(),
  createdAt: z.iso.datetime(),
  /** Accurate to five minutes. */
  lastSeenAt: z.iso.datetime(),
  method: z.enum(signInMethods),
  twoFactors: z.boolean(),
  /** The browser's User-Agent. */
  userAgent: z.string().nullable(),
  address: z.string().nullable(),
  /** Whether it is the session of this request. */
  current: z.boolean(),
});
export type Session = z.infer<typeof session>;

export const listSessions = contract({
  method: 'GET',
  path: '/api/user/sessions',
  summary: 'Where you are signed in, newest first',
  permission: 'session',
  output: { 200: z.array(session) },
});

export const endSession = contract({
  method: 'DELETE',
  path: '/api/user/sessions/:id',
  summary: 'Sign out in one place',
  permission: 'session',
  params: z.object({ id: z.uuid() }),
  output: { 204: null },
  errors: [404, 429],
});

export const endOtherSessions = contract({
  method: 'DELETE',
  path: '/api/user/sessions',
  summary: 'Sign out everywhere but here',
  permission: 'session',
  output: { 204: null },
});
