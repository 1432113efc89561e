import { z } from 'zod';
import { roles } from '#domain/auth/permissions.ts';
import { secondFactorCode } from '#domain/auth/second-factor-code.ts';
import { contract, type RateLimit } from '#domain/contract.ts';
import { accountId, orgId } from '#domain/ids.ts';
import { languages } from '#domain/languages.ts';
import { emailAddress, requiredText } from '#domain/text.ts';

const longestName = 100;
const longestPassword = 200;

/** Spec section 5. */
export const email = emailAddress('Please enter a valid email address');

export const passwordOf = (shortest: number) => {
  const tooShort = `Password must be at least ${shortest} characters`;
  return z
    .string({ error: tooShort })
    .min(shortest, tooShort)
    .max(longestPassword, `Password must be at most ${longestPassword} characters`);
};
export const password = passwordOf(6);

export const personName = (missing: string) => requiredText(missing, longestName);

export const user = z.object({
  id: accountId,
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  profileImageUrl: z.string().nullable(),
  role: z.enum(roles).nullable(),
  orgId: orgId.nullable(),
});
/** The signed-in account with its membership; `role` and `orgId` are null without one. */
export type User = z.infer<typeof user>;

/** Fields that only the account itself receives. */
export const signedInUser = user.extend({
  /** Null until the person chooses one. */
  language: z.enum(languages).nullable(),
  /** A verification link was mailed to the address, and has not been used yet. */
  mustVerifyEmail: z.boolean(),
  /**
   * The organization requires a second factor, which this session lacks. Until then its access is
   * restricted.
   */
  mustSetUpTwoFactor: z.boolean(),
});
export type SignedInUser = z.infer<typeof signedInUser>;

/** How a session was started. */
export const signInMethods = ['password', 'passkey', 'oidc', 'saml', 'register'] as const;
export type SignInMethod = (typeof signInMethods)[number];

export const loginBody = z.object({ email, password });
export const registerBody = z.object({
  email,
  password,
  firstName: personName('First name is required'),
  lastName: personName('Last name is required'),
  orgName: z
    .string()
    .trim()
    .max(longestName, `Please use at most ${longestName} characters`)
    .optional(),
});

export const register = contract({
  method: 'POST',
  path: '/api/register',
  rateLimit: { name: 'register', most: 20, windowSeconds: 3600 },
  summary: 'Make an account and its organization, and sign in',
  permission: 'public',
  body: registerBody,
  output: { 201: signedInUser },
  errors: [400, 403, 409, 429],
});

export const login = contract({
  method: 'POST',
  path: '/api/login',
  rateLimit: { name: 'login', most: 300, windowSeconds: 60 },
  summary: 'Sign in with email and password',
  permission: 'public',
  body: loginBody,
  output: { 200: signedInUser },
  errors: [400, 401, 429],
});

export const logout = contract({
  method: 'POST',
  path: '/api/logout',
  rateLimit: { name: 'logout', most: 300, windowSeconds: 60 },
  summary: 'End this session',
  permission: 'public',
  output: { 204: null },
});

export const forgotPasswordBody = z.object({ email });
export const resetPasswordBody = z.object({ password });

/** Requesting and using a reset link share one limit. */
const resetLimit: RateLimit = { name: 'reset', most: 20, windowSeconds: 600 };

export const forgotPassword = contract({
  method: 'POST',
  path: '/api/forgot-password',
  rateLimit: resetLimit,
  summary: 'Mail a reset link; the same answer whether or not the address has an account',
  permission: 'public',
  body: forgotPasswordBody,
  output: { 204: null },
  errors: [400, 429],
});

export const resetPassword = contract({
  method: 'POST',
  path: '/api/reset-password/:token',
  rateLimit: resetLimit,
  summary: 'Set a new password by a reset link; ends every session of the account',
  permission: 'public',
  params: z.object({ token: z.string().max(200) }),
  body: resetPasswordBody,
  /** The account's address, for the sign-in form that follows. */
  output: { 200: z.object({ email: z.string() }) },
  errors: [400, 404, 410, 429],
});

export const readVerification = contract({
  method: 'GET',
  path: '/api/verify-email/:token',
  rateLimit: resetLimit,
  summary: 'The address that a verification link confirms',
  permission: 'public',
  params: z.object({ token: z.string().max(200) }),
  output: { 200: z.object({ email: z.string(), verified: z.boolean() }) },
  errors: [404, 410, 429],
});

export const verifyEmail = contract({
  method: 'POST',
  path: '/api/verify-email/:token',
  rateLimit: resetLimit,
  summary:
    'Confirm an email address by the link that was mailed to it. The first time, without a session of that account, its password, factors and sessions are removed',
  permission: 'public',
  params: z.object({ token: z.string().max(200) }),
  output: {
    200: z.object({
      /** Set if the password was removed: a link for choosing a new one, valid for an hour. */
      newPasswordUrl: z.string().nullable(),
    }),
  },
  errors: [404, 410, 429],
});

export const resendVerification = contract({
  method: 'POST',
  path: '/api/user/verify-email',
  summary: 'Mail another link that confirms your email address',
  permission: 'session',
  output: { 204: null },
  errors: [429],
});

export const confirmSelfBody = z.object({
  password: z.string().min(1).max(longestPassword),
  /** A code of the authenticator app or a recovery code, if the account has a second factor. */
  code: z.optional(secondFactorCode),
});

export const confirmSelf = contract({
  method: 'POST',
  path: '/api/user/confirm',
  summary: 'Prove that it is you, for changes to how you sign in; counts for ten minutes',
  permission: 'session',
  body: confirmSelfBody,
  output: { 204: null },
  errors: [400, 409, 429],
});

export const currentUser = contract({
  method: 'GET',
  path: '/api/user',
  summary: 'The signed-in user',
  permission: 'session',
  output: { 200: signedInUser },
});

export const currentAuthUser = contract({ ...currentUser, path: '/api/auth/user' });
