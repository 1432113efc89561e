import type { FastifyReply, FastifyRequest } from 'fastify';
import { notFound } from '#domain/errors.ts';
import { fileId } from '#domain/ids.ts';
import { removePortrait, uploadPortrait } from '#domain/profile/contract.ts';
import { answer, type Site, sessionOf, sessionRoute, tenantOfUser } from '#server/http/route.ts';
import { makePictureSafe } from '#server/pictures/make-picture-safe.ts';
import { fileOf, takeFiles } from '#server/pictures/take-file.ts';
import { limit } from '#server/platform/rate-limit.ts';
import { FileMissingError } from '#server/providers/files/port.ts';
import * as store from './portrait-store.ts';

/**
 * Registers the endpoints that set and remove one's portrait, and serve portraits within the organization.
 */
export function portraitRoutes(site: Site): void {
  const uploading = limit(site, 'portrait', 30, 600);

  takeFiles(site, uploadPortrait.file.mostBytes, (taking) => {
    sessionRoute(taking, uploadPortrait, async ({ user, session, request }) => {
      const tenant = tenantOfUser(site, { user, session }, request, null);
      uploading(user.id);
      const picture = await makePictureSafe(tenant.orgId, await fileOf(request), 'portrait');
      return answer(200, await store.setPortrait(tenant, site.files, user, picture));
    });
  });

  sessionRoute(site, removePortrait, async ({ user, session, request }) => {
    const tenant = tenantOfUser(site, { user, session }, request, null);
    return answer(200, await store.removePortrait(tenant, site.files, user));
  });

  site.http.get<{ Params: { name: string } }>(
    '/portraits/:name',
    { schema: { hide: true } },
    (request, reply) => sendPortrait(site, request, request.params.name, reply),
  );
}

async function sendPortrait(
  site: Site,
  request: FastifyRequest,
  name: string,
  reply: FastifyReply,
) {
  const tenant = tenantOfUser(site, await sessionOf(site, request), request, null);
  const id = fileId.safeParse(/^([\w-]+)\.webp$/.exec(name)?.[1]);
  const portrait = id.success ? await store.findPortrait(tenant, id.data) : null;
  if (!portrait) throw notFound();
  const content = await site.files.get(portrait.key).catch((error) => {
    // The portrait was replaced concurrently.
    throw error instanceof FileMissingError ? notFound() : error;
  });
  return reply
    .header('content-length', portrait.sizeBytes)
    .header('cache-control', 'private, max-age=31536000, immutable')
    .header('content-security-policy', "default-src 'none'; sandbox")
    .type(portrait.contentType)
    .send(content);
}
