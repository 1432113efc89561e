import { z } from 'zod';
import { contract } from '#domain/contract.ts';
import { roomId } from '#domain/ids.ts';
import { joinLimit } from '#domain/links/join-limit.ts';
import { longestOrigin, mostOrigins, originOf } from './origin.ts';

export const wrongOrigin = 'Enter each URL like https://www.example.com';

const origin = z
  .string({ error: wrongOrigin })
  .max(longestOrigin, wrongOrigin)
  .transform((text, given) => {
    const found = originOf(text);
    if (found !== null) return found;
    given.issues.push({ code: 'custom', message: wrongOrigin, input: text });
    return z.NEVER;
  });

export const updateEmbeddingBody = z.object({
  origins: z
    .array(origin, { error: wrongOrigin })
    .max(mostOrigins, `You can add at most ${mostOrigins} URLs`)
    .transform((origins) => [...new Set(origins)].sort()),
});

export const embedding = z.object({ origins: z.array(z.string()) });

export const readEmbedding = contract({
  method: 'GET',
  path: '/api/embedding',
  summary: 'The sites that may show your guest pages in a frame',
  permission: 'security.manage',
  output: { 200: embedding },
});

export const updateEmbedding = contract({
  method: 'PUT',
  path: '/api/embedding',
  summary: 'List the sites that may show your guest pages in a frame: https origins, at most 20',
  permission: 'security.manage',
  needsVerifiedAddress: true,
  body: updateEmbeddingBody,
  // 20 addresses of 300 characters of up to three bytes.
  bodyLimit: 20 * 1024,
  output: { 200: embedding },
  errors: [400],
});

/** For the page in a frame, which holds a guest link's token or an embedded person's. */
export const readListedOrigins = contract({
  method: 'GET',
  path: '/api/embedding/origins/:token',
  rateLimit: joinLimit,
  summary: 'The sites that may show the call of this token in a frame',
  permission: 'public',
  params: z.object({ token: z.string().max(200) }),
  output: { 200: embedding },
  errors: [404, 429],
});

const longestDisplayName = 80;
const wrongName = `Enter a display name of at most ${longestDisplayName} characters`;

export const mintEmbedTokenBody = z.object({
  /** What the others in the call see. */
  displayName: z
    .string({ error: wrongName })
    .trim()
    .min(1, wrongName)
    .max(longestDisplayName, wrongName),
  /** The product's own id of the person: someone whom a host removed stays out with the next token, too. */
  externalId: z.string().min(1).max(200).optional(),
  role: z.literal('guest').default('guest'),
  /** Joins without waiting in the room's lobby. A locked call stays closed. */
  admitted: z.boolean().default(false),
});
export type MintEmbedTokenBody = z.infer<typeof mintEmbedTokenBody>;

export const mintEmbedToken = contract({
  method: 'POST',
  path: '/api/rooms/:id/embed-tokens',
  rateLimit: { name: 'embed_tokens', most: 600, windowSeconds: 60 },
  summary:
    'A token with which one person of your product joins the room in a frame, once, within minutes',
  permission: 'rooms.share',
  stores: true,
  scope: 'rooms:embed',
  params: z.object({ id: roomId }),
  body: mintEmbedTokenBody,
  output: { 201: z.object({ token: z.string(), expiresAt: z.iso.datetime() }) },
  errors: [404, 409, 429],
});
