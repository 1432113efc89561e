import { z } from 'zod';
import { contract } from '#domain/contract.ts';
import { apiTokenId } from '#domain/ids.ts';
import { pageQuery } from '#domain/paging.ts';
import { requiredText } from '#domain/text.ts';
import { apiScopes, isPersonalScope } from './scopes.ts';

/** Days until a token expires; null for one that does not. */
export const apiTokenLives = [30, 90, 365] as const;
/** Of a person, and of an organization itself. */
export const mostApiTokens = 20;

export const apiToken = z.object({
  id: apiTokenId,
  name: z.string(),
  scopes: z.array(z.enum(apiScopes)),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable(),
  expiresAt: z.iso.datetime().nullable(),
});
export type ApiToken = z.infer<typeof apiToken>;

/**
 * `person`: whose it is; null for a token of the organization. `madeBy`: null if they are no longer known. `isOfAdmin`:
 * false once whoever made a token of the organization is no longer an admin, who may still have it.
 */
export const organizationToken = apiToken.extend({
  person: z.string().nullable(),
  madeBy: z.string().nullable(),
  isOfAdmin: z.boolean(),
});
export type OrganizationToken = z.infer<typeof organizationToken>;

/** Includes the token, which is shown this once, because only its hash is stored. */
export const madeApiToken = apiToken.extend({ token: z.string() });
export type MadeApiToken = z.infer<typeof madeApiToken>;

const needsScope = 'Please choose at least one scope';
export const apiTokenBody = z.object({
  name: requiredText('Please name the token', 100),
  scopes: z
    .array(z.enum(apiScopes), { error: needsScope })
    .min(1, needsScope)
    .max(apiScopes.length)
    .transform((scopes) => [...new Set(scopes)]),
  expiresInDays: z.literal(apiTokenLives, { error: 'Please choose when it expires' }).nullable(),
});
export const personalTokenBody = apiTokenBody.extend({
  scopes: apiTokenBody.shape.scopes.refine((scopes) => scopes.every(isPersonalScope), {
    error: 'Only tokens of the organization can have this scope',
  }),
});

const byId = z.object({ id: apiTokenId });

export const listApiTokens = contract({
  method: 'GET',
  path: '/api/user/tokens',
  summary: 'Your API tokens, newest first',
  permission: 'session',
  query: pageQuery,
  output: { 200: z.array(apiToken) },
});

export const createApiToken = contract({
  method: 'POST',
  path: '/api/user/tokens',
  summary: 'Make an API token that acts as you; it is shown this once',
  permission: 'session',
  body: personalTokenBody,
  output: { 201: madeApiToken },
  errors: [400, 403, 409, 429],
});

export const revokeApiToken = contract({
  method: 'DELETE',
  path: '/api/user/tokens/:id',
  summary: 'End one of your API tokens',
  permission: 'session',
  params: byId,
  output: { 204: null },
  errors: [404],
});

export const listOrganizationTokens = contract({
  method: 'GET',
  path: '/api/organization-tokens',
  summary: 'The API tokens of your organization and of its members, newest first',
  permission: 'api_tokens.manage',
  query: pageQuery,
  output: { 200: z.array(organizationToken) },
});

export const createOrganizationToken = contract({
  method: 'POST',
  path: '/api/organization-tokens',
  summary: 'Make an API token that acts as your organization; it is shown this once',
  permission: 'api_tokens.manage',
  needsVerifiedAddress: true,
  body: apiTokenBody,
  output: { 201: madeApiToken },
  errors: [400, 409, 429],
});

export const revokeOrganizationToken = contract({
  method: 'DELETE',
  path: '/api/organization-tokens/:id',
  summary: 'End an API token of your organization or of a member',
  permission: 'api_tokens.manage',
  params: byId,
  output: { 204: null },
  errors: [404],
});
