import multipart from '@fastify/multipart';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DomainError, notFound } from '#domain/errors.ts';
import { fileId } from '#domain/ids.ts';
import * as contract from '#domain/organizations/contract.ts';
import { logoIdOf } from '#domain/organizations/logo.ts';
import { limit } from '#server/platform/rate-limit.ts';
import { answer, type Site, tenantRoute } from '#server/platform/route.ts';
import { FileMissingError } from '#server/providers/files/port.ts';
import { findLogo, removeLogo, setLogo } from './logo-store.ts';
import { makeLogoSafe } from './make-logo-safe.ts';

/** Setting and removing the logo, and the logo itself, which needs no session. */
export function logoRoutes(site: Site): void {
  const uploading = limit(site, 'logo', 30, 600);

  // By itself: everywhere else a multipart body is refused, as one that is no JSON.
  site.http.register(async (http) => {
    const fileSize = contract.uploadLogo.file.mostBytes;
    await http.register(multipart, { limits: { fileSize, files: 1, fields: 0, headerPairs: 20 } });

    tenantRoute({ ...site, http }, contract.uploadLogo, async ({ tenant, params, request }) => {
      if (params.orgId !== tenant.orgId) throw notFound();
      uploading(tenant.orgId);
      const picture = await makeLogoSafe(await fileOf(request));
      return answer(200, await setLogo(tenant, site.files, picture));
    });
  });

  tenantRoute(site, contract.removeLogo, async ({ tenant, params }) => {
    if (params.orgId !== tenant.orgId) throw notFound();
    return answer(200, await removeLogo(tenant, site.files));
  });

  site.http.get<{ Params: { name: string } }>(
    '/logos/:name',
    { schema: { hide: true } },
    ({ params }, reply) => sendLogo(site, params.name, reply),
  );
}

/** The one file of a multipart body; its name and declared type are not looked at. */
async function fileOf(request: FastifyRequest): Promise<Buffer> {
  try {
    const part = await request.file();
    if (part) return await part.toBuffer();
  } catch (error) {
    throw asRefusal(error);
  }
  throw new DomainError('invalid', 'no_file', 'Please choose a file.');
}

function asRefusal(error: unknown): unknown {
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined;
  if (status === 413) {
    return new DomainError(
      'too_large',
      'logo_too_large',
      'This file is larger than 2 MB. Please choose a smaller one.',
    );
  }
  if (status === 406) {
    return new DomainError('unsupported', 'not_multipart', 'Send the file as multipart/form-data.');
  }
  return error;
}

async function sendLogo(site: Site, name: string, reply: FastifyReply) {
  const id = fileId.safeParse(logoIdOf(name));
  const logo = id.success ? await findLogo(site.database, id.data) : null;
  if (!logo) throw notFound();
  const content = await site.files.get(logo.key).catch((error) => {
    // Replaced this moment.
    throw error instanceof FileMissingError ? notFound() : error;
  });
  return (
    reply
      .header('content-length', logo.sizeBytes)
      .header('cache-control', 'public, max-age=31536000, immutable')
      .header('content-security-policy', "default-src 'none'; sandbox")
      // Mails show it, in pages of whoever reads mail there.
      .header('cross-origin-resource-policy', 'cross-origin')
      .type(logo.contentType)
      .send(content)
  );
}
