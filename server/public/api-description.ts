import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { describeApi } from '#domain/api/openapi/describe.ts';
import type { Description } from '#domain/api/openapi/document.ts';
import { apiDescriptionPath } from '#domain/public/pages.ts';

let description: Description | undefined;
/** Returns the same object each time, because making it takes a while. */
export function apiDescription(): Description {
  description ??= describeApi();
  return description;
}

/** Serves the description of what API tokens can use. It does not change while the server runs. */
export function apiDescriptionRoute(http: FastifyInstance): void {
  let kept: { json: Buffer; etag: string } | null = null;
  http.get(apiDescriptionPath, { schema: { hide: true } }, async (request, reply) => {
    kept ??= made();
    reply.headers({ 'cache-control': 'no-cache', etag: kept.etag });
    if (request.headers['if-none-match'] === kept.etag) return reply.code(304).send();
    return reply.type('application/json; charset=utf-8').send(kept.json);
  });
}

function made() {
  const json = Buffer.from(JSON.stringify(apiDescription()));
  const hash = createHash('sha256').update(json).digest('base64url').slice(0, 22);
  return { json, etag: `"${hash}"` };
}
