import { z } from 'zod';
import { signedInUser } from '#domain/auth/contract.ts';
import { contract } from '#domain/contract.ts';
import { requiredText } from '#domain/text.ts';

const longestName = 60;

export const passkeyId = z.uuid().brand<'PasskeyId'>();
export type PasskeyId = z.infer<typeof passkeyId>;

export const passkey = z.object({
  id: passkeyId,
  name: z.string(),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable(),
  /** Synced by the passkey's provider, and so available on the person's other devices, too. */
  isBackedUp: z.boolean(),
});
export type Passkey = z.infer<typeof passkey>;

/** WebAuthn's own JSON forms (Level 3, section 5.1), which the browser parses. */
const webAuthn = z.record(z.string(), z.unknown());

/** Bytes as base64url, which the library decodes and checks. The whole body has 16 KB at most. */
const bytes = (most: number) =>
  z
    .string()
    .max(most)
    .regex(/^[\w-]+$/);
/** A credential's ID has at most 1,023 bytes. */
const credentialId = bytes(1364);
/** What an answer has beside `response`. Other fields of the standard are accepted, and dropped. */
const answered = {
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key'),
  clientExtensionResults: z.object({
    credProps: z.object({ rk: z.boolean().exactOptional() }).exactOptional(),
  }),
};
const registration = z.object({
  ...answered,
  response: z.object({
    clientDataJSON: bytes(8192),
    attestationObject: bytes(16_384),
    /** Of WebAuthn, or of a later standard. */
    transports: z.array(z.string().max(32)).max(10).exactOptional(),
  }),
});
const assertion = z.object({
  ...answered,
  response: z.object({
    clientDataJSON: bytes(8192),
    authenticatorData: bytes(8192),
    signature: bytes(8192),
    /** The account's ID, 64 bytes at most. */
    userHandle: bytes(86).exactOptional(),
  }),
});
const byId = z.object({ id: passkeyId });
const name = requiredText('Please name the passkey', longestName);

export const listPasskeys = contract({
  method: 'GET',
  path: '/api/user/passkeys',
  summary: 'Your passkeys, in the order in which they came',
  permission: 'session',
  output: { 200: z.array(passkey) },
});

export const startPasskey = contract({
  method: 'POST',
  path: '/api/user/passkeys/options',
  summary: 'What the browser needs to make a passkey, of which an account has 20 at most',
  permission: 'session',
  output: { 200: z.object({ optionsJSON: webAuthn }) },
  errors: [403, 409, 429],
});

export const addPasskeyBody = z.object({ name, response: registration });
export const addPasskey = contract({
  method: 'POST',
  path: '/api/user/passkeys',
  summary: 'Add the passkey that the browser made',
  permission: 'session',
  body: addPasskeyBody,
  output: { 201: passkey },
  errors: [400, 403, 409, 429],
});

export const renamePasskeyBody = z.object({ name });
export const renamePasskey = contract({
  method: 'PATCH',
  path: '/api/user/passkeys/:id',
  summary: 'Give a passkey another name',
  permission: 'session',
  params: byId,
  body: renamePasskeyBody,
  output: { 200: passkey },
  errors: [400, 404],
});

export const removePasskey = contract({
  method: 'DELETE',
  path: '/api/user/passkeys/:id',
  summary: 'Remove a passkey: nobody signs in with it any more',
  permission: 'session',
  params: byId,
  output: { 204: null },
  errors: [403, 404],
});

export const startPasskeySignIn = contract({
  method: 'POST',
  path: '/api/login/passkey/options',
  rateLimit: { name: 'passkey_options', most: 60, windowSeconds: 60 },
  summary: 'What the browser needs to sign in with a passkey',
  permission: 'public',
  output: { 200: z.object({ optionsJSON: webAuthn }) },
  errors: [429],
});

export const passkeySignInBody = z.object({ response: assertion });
export const signInWithPasskey = contract({
  method: 'POST',
  path: '/api/login/passkey',
  rateLimit: { name: 'login', most: 300, windowSeconds: 60 },
  summary: 'Sign in with a passkey; counts as two factors',
  permission: 'public',
  body: passkeySignInBody,
  output: { 200: signedInUser },
  errors: [400, 401, 429],
});
