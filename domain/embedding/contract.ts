import { z } from 'zod';
import { contract } from '#domain/contract.ts';
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
