import { z } from 'zod';
import { contract } from '#domain/contract.ts';
import { scimGroupId, scimTokenId } from '#domain/ids.ts';
import { pageQuery } from '#domain/paging.ts';
import { requiredText } from '#domain/text.ts';
import { defaultRoles, groupRoles } from './roles.ts';

/** Days until a token expires; null for one that does not. */
export const tokenLives = [30, 90, 365] as const;
/** Hours for which the old token stays valid after a rotation. */
export const overlaps = [0, 1, 24, 168] as const;

export const scimToken = z.object({
  id: scimTokenId,
  name: z.string(),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable(),
  expiresAt: z.iso.datetime().nullable(),
  /** A newer token has replaced it; it is valid until `expiresAt`. */
  isReplaced: z.boolean(),
  /**
   * Set once the responsible admin has left or is no longer an admin. The token then expires at
   * `expiresAt`, a week later, unless another admin adopts it. The name is null if the account was
   * deleted.
   */
  orphanOf: z.object({ name: z.string().nullable() }).nullable(),
});
export type ScimToken = z.infer<typeof scimToken>;

/** Includes the token, which only its creator sees, and only once, because only its hash is stored. */
export const madeScimToken = scimToken.extend({ token: z.string() });
export type MadeScimToken = z.infer<typeof madeScimToken>;

export const createTokenBody = z.object({
  name: requiredText('Please name the token', 100),
  expiresInDays: z.literal(tokenLives, { error: 'Please choose when it expires' }).nullable(),
});

export const rotateTokenBody = z.object({
  overlapHours: z.literal(overlaps, { error: 'Please choose when the old token expires' }),
});

export const scimGroup = z.object({
  id: scimGroupId,
  displayName: z.string(),
  memberCount: z.int(),
  role: z.enum(groupRoles).nullable(),
});
export type ScimGroup = z.infer<typeof scimGroup>;

export const scimSettings = z.object({
  /** The URL of this installation for the directory's settings. */
  endpoint: z.string(),
  defaultRole: z.enum(defaultRoles),
});
export type ScimSettings = z.infer<typeof scimSettings>;

const byToken = z.object({ id: scimTokenId });

export const listScimTokens = contract({
  method: 'GET',
  path: '/api/scim-tokens',
  summary: 'The tokens by which your directory may provision people, newest first',
  permission: 'scim.manage',
  query: pageQuery,
  output: { 200: z.array(scimToken) },
});

export const createScimToken = contract({
  method: 'POST',
  path: '/api/scim-tokens',
  summary: 'Make a token for your directory; it is shown this once',
  permission: 'scim.manage',
  needsVerifiedAddress: true,
  body: createTokenBody,
  output: { 201: madeScimToken },
  errors: [400, 402, 409, 429],
});

export const rotateScimToken = contract({
  method: 'POST',
  path: '/api/scim-tokens/:id/rotate',
  summary: 'Make a token in the place of another, which works on for as long as you choose',
  permission: 'scim.manage',
  params: byToken,
  body: rotateTokenBody,
  output: { 201: madeScimToken },
  errors: [400, 404, 429],
});

export const revokeScimToken = contract({
  method: 'DELETE',
  path: '/api/scim-tokens/:id',
  summary: 'End a token at once',
  permission: 'scim.manage',
  params: byToken,
  output: { 204: null },
  errors: [404],
});

export const adoptScimToken = contract({
  method: 'POST',
  path: '/api/scim-tokens/:id/adopt',
  summary: 'Answer for a token whose maker has left, which then works on as before',
  permission: 'scim.manage',
  params: byToken,
  output: { 200: scimToken },
  errors: [404, 429],
});

export const listScimGroups = contract({
  method: 'GET',
  path: '/api/scim-groups',
  summary: 'The groups that your directory has sent, and the role of each',
  permission: 'scim.manage',
  query: pageQuery,
  output: { 200: z.array(scimGroup) },
});

export const setGroupRole = contract({
  method: 'PUT',
  path: '/api/scim-groups/:id/role',
  summary: 'Choose what the people of a group become; of several groups the highest role counts',
  permission: 'scim.manage',
  params: z.object({ id: scimGroupId }),
  body: z.object({ role: z.enum(groupRoles, { error: 'Please choose a role' }).nullable() }),
  output: { 200: scimGroup },
  errors: [400, 404],
});

export const readScimSettings = contract({
  method: 'GET',
  path: '/api/scim-settings',
  summary: 'The address to enter in your directory, and what people without a group become',
  permission: 'scim.manage',
  output: { 200: scimSettings },
});

export const updateScimSettings = contract({
  method: 'PUT',
  path: '/api/scim-settings',
  summary: 'Choose what people without a mapped group become',
  permission: 'scim.manage',
  body: scimSettings.pick({ defaultRole: true }),
  output: { 200: scimSettings },
  errors: [400],
});
