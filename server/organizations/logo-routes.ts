import type { FastifyReply } from 'fastify';
import { notFound } from '#domain/errors.ts';
import { fileId } from '#domain/ids.ts';
import * as contract from '#domain/organizations/contract.ts';
import { logoIdOf } from '#domain/organizations/logo.ts';
import { answer, type Site, tenantRoute } from '#server/http/route.ts';
import { makePictureSafe } from '#server/pictures/make-picture-safe.ts';
import { fileOf, takeFiles } from '#server/pictures/take-file.ts';
import { networkKey } from '#server/platform/address-key.ts';
import { FairQueue } from '#server/platform/fair-queue.ts';
import { boundOpenFiles } from '#server/platform/open-files.ts';
import { limit } from '#server/platform/rate-limit.ts';
import { FileMissingError } from '#server/providers/files/port.ts';
import { findLogo, removeLogo, setLogo } from './logo-store.ts';

/** Registers the endpoints that set, remove, and serve the logo. Serving it needs no session. */
export function logoRoutes(site: Site): void {
  const uploading = limit(site, 'logo', 30, 600);

  takeFiles(site, contract.uploadLogo.file.mostBytes, (taking) => {
    tenantRoute(taking, contract.uploadLogo, async ({ tenant, params, request }) => {
      if (params.orgId !== tenant.orgId) throw notFound();
      uploading(tenant.orgId);
      const picture = await makePictureSafe(tenant.orgId, await fileOf(request), 'logo');
      return answer(200, await setLogo(tenant, site.files, picture));
    });
  });

  tenantRoute(site, contract.removeLogo, async ({ tenant, params }) => {
    if (params.orgId !== tenant.orgId) throw notFound();
    return answer(200, await removeLogo(tenant, site.files));
  });

  site.http.register(async (files) => {
    boundOpenFiles(files, 'pages');
    files.get<{ Params: { name: string } }>(
      '/logos/:name',
      { schema: { hide: true } },
      ({ params, ip }, reply) => sendLogo(site, params.name, ip, reply),
    );
  });
}

/** Anyone may ask for any. Networks take turns, and leave the other connections to the database alone. */
const finding = new FairQueue({ atOnce: 2, perKey: 1, mostWaiting: 500, mostInAll: 2_000 });

async function sendLogo(site: Site, name: string, ip: string, reply: FastifyReply) {
  const id = fileId.safeParse(logoIdOf(name));
  const logo = id.success
    ? await finding.run(networkKey(ip), () => findLogo(site.database, id.data))
    : null;
  if (!logo) throw notFound();
  const content = await site.files.get(logo.key).catch((error) => {
    // The logo was replaced concurrently.
    throw error instanceof FileMissingError ? notFound() : error;
  });
  return (
    reply
      .header('content-length', logo.sizeBytes)
      .header('cache-control', 'public, max-age=31536000, immutable')
      .header('content-security-policy', "default-src 'none'; sandbox")
      // Webmail shows it on pages of other origins.
      .header('cross-origin-resource-policy', 'cross-origin')
      .type(logo.contentType)
      .send(content)
  );
}
