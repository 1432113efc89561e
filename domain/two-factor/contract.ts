import { z } from 'zod';
import { signedInUser } from '#domain/auth/contract.ts';
import { secondFactorCode } from '#domain/auth/second-factor-code.ts';
import { contract } from '#domain/contract.ts';

export const secondFactorBody = z.object({ code: secondFactorCode });

export const secondFactor = contract({
  method: 'POST',
  path: '/api/login/second-factor',
  rateLimit: { name: 'login', most: 300, windowSeconds: 60 },
  summary: 'The second step of signing in, after a 401 with the code second_factor_required',
  permission: 'public',
  body: secondFactorBody,
  output: { 200: signedInUser },
  errors: [400, 401, 429],
});

export const twoFactor = z.object({
  enabledAt: z.iso.datetime().nullable(),
  recoveryCodesLeft: z.int(),
  /** Whether the organization requires a second factor. */
  isRequired: z.boolean(),
});

export const readTwoFactor = contract({
  method: 'GET',
  path: '/api/user/two-factor',
  summary: 'Whether you sign in with a second factor',
  permission: 'session',
  output: { 200: twoFactor },
});

export const startTwoFactor = contract({
  method: 'POST',
  path: '/api/user/two-factor',
  summary: 'Make the secret for your authenticator app; it counts once a code of it was confirmed',
  permission: 'session',
  output: { 200: z.object({ secret: z.string(), uri: z.string() }) },
  errors: [403, 409, 429],
});

const recoveryCodes = z.object({ recoveryCodes: z.array(z.string()) });

export const confirmTwoFactor = contract({
  method: 'POST',
  path: '/api/user/two-factor/confirm',
  summary:
    'Turn the second factor on; shows the recovery codes, this once; ends your other sessions',
  permission: 'session',
  body: secondFactorBody,
  output: { 200: recoveryCodes },
  errors: [400, 403, 409, 429],
});

export const removeTwoFactor = contract({
  method: 'DELETE',
  path: '/api/user/two-factor',
  summary: 'Turn the second factor off',
  permission: 'session',
  output: { 204: null },
  errors: [403],
});

export const renewRecoveryCodes = contract({
  method: 'POST',
  path: '/api/user/two-factor/recovery-codes',
  summary: 'Make new recovery codes; the old ones stop working',
  permission: 'session',
  output: { 200: recoveryCodes },
  errors: [403, 409],
});

export const signInPolicy = z.object({
  twoFactorRequired: z.boolean(),
  /** Members who have neither an authenticator app nor a passkey yet. */
  membersWithout: z.int(),
});

export const readSignInPolicy = contract({
  method: 'GET',
  path: '/api/sign-in-policy',
  summary: 'What your organization asks of its members’ sign-in',
  permission: 'security.manage',
  output: { 200: signInPolicy },
});

export const updateSignInPolicyBody = z.object({
  twoFactorRequired: z.boolean({ error: 'Please choose' }),
});

export const updateSignInPolicy = contract({
  method: 'PUT',
  path: '/api/sign-in-policy',
  summary: 'Ask members for a second factor, or stop asking',
  permission: 'security.manage',
  needsVerifiedAddress: true,
  body: updateSignInPolicyBody,
  output: { 200: signInPolicy },
  errors: [400, 409],
});
