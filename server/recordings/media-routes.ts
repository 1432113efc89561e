import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DomainError, notFound } from '#domain/errors.ts';
import type { OrgId } from '#domain/ids.ts';
import type { Site } from '#server/http/route.ts';
import { tenantOf } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { boundOpenFiles } from '#server/platform/open-files.ts';
import { organizationTime, type Payer } from '#server/platform/organization-time.ts';
import { PacedTurns } from '#server/platform/paced-turns.ts';
import { whileOpen } from '#server/platform/while-open.ts';
import { FileMissingError } from '#server/providers/files/port.ts';
import { rangeOf } from './byte-range.ts';
import { readableMedia, requireMayRead } from './may-read-media.ts';
import { MediaChecks } from './media-checks.ts';
import { type MediaAddress, mediaPath, mediaUrlSeconds, readMediaUrl } from './media-url.ts';

/**
 * Of an organization's files, by its members and by its shares. A player asks a few times a second for each person, and
 * a page of recordings for all of their pictures at once: what is beyond it waits, in turns of accounts and shares.
 * Bytes have turns of their own.
 */
const requestsOfOrganization = { burst: 20, perSecond: 100 };
/** Requests of an account, or by a share, that wait. One more is refused. */
const mostWaiting = 500;

/** Serves recordings to those who got a signed address (read-recording.ts). */
export function mediaRoutes(site: Site): void {
  const turns = new PacedTurns(requestsOfOrganization, site.config.RATE_LIMIT_SCALE);
  const time = organizationTime(site.config);
  const checks = new MediaChecks(
    (of) => tenantFor(site, of.org, null).connection((at) => readableMedia(at, of)),
    site.config.RATE_LIMIT_SCALE,
  );
  site.http.register(async (http) => {
    boundOpenFiles(http, 'media');
    http.route({
      // Fastify's own HEAD would state the length of an empty answer.
      method: ['GET', 'HEAD'],
      url: mediaPath,
      schema: { hide: true },
      handler: async (request, reply) => {
        const { params, query } = request;
        const address = readMediaUrl(site.secrets, { ...asObject(query), ...asObject(params) });
        if (!address) {
          throw new DomainError('forbidden', 'link_expired', 'This link has expired.');
        }
        const { group, who, payer } = askerOf(address);
        if (turns.waiting(group, who) >= mostWaiting) throw tooOften();
        await whileOpen(
          request,
          async (open) =>
            (await turns.turn(group, who, open)) &&
            time.turn(address.org, payer, 'media', who, open),
        );
        return sendMedia(site, checks, address, request, reply);
      },
    });
  });
}

/** Strangers with a link must not use up what members may ask for. */
function askerOf({ org, holder }: MediaAddress): { group: string; who: string; payer: Payer } {
  return 'share' in holder
    ? { group: `${org} shares`, who: holder.share, payer: 'others' }
    : { group: org, who: holder.account, payer: 'staff' };
}

const tooOften = () =>
  new DomainError(
    'too_many',
    'too_many_media_requests',
    'Your organization’s recordings are asked for too often. Please try again in a moment.',
    { retryAfterSeconds: 2 },
  );

const asObject = (value: unknown) => (typeof value === 'object' && value !== null ? value : {});

interface MediaFile {
  key: string | null;
  mimeType: string;
  sizeBytes: number | null;
}
const findFile: Statement = {
  name: 'recorded_file',
  text: `select case when $3 = 'poster' then poster_key else file_key end as key,
      case when $3 = 'poster' then 'image/jpeg' else mime_type end as "mimeType",
      case when $3 = 'poster' then null else size_bytes::float8 end as "sizeBytes"
    from recorded_media where org_id = $1 and id = $2 and state = 'ready'`,
};

const tenantFor = ({ database }: Site, orgId: OrgId, ip: string | null) =>
  tenantOf(database, { kind: 'system', name: 'media-url', orgId }, ip);

async function sendMedia(
  site: Site,
  checks: MediaChecks,
  address: MediaAddress,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const { files } = site;
  const { org, media, what } = address;
  const checkedAt = performance.now();
  const [file] = await tenantFor(site, org, request.ip).connection(async (at) => {
    await requireMayRead(at, address);
    return at.run<MediaFile & Record<string, unknown>>(findFile, [org, media, what]);
  });
  if (!file?.key) throw notFound();
  const { key, mimeType, sizeBytes } = file;
  reply
    .header('cache-control', `private, max-age=${mediaUrlSeconds}, immutable`)
    .header('content-security-policy', "default-src 'none'; sandbox")
    .header('cross-origin-resource-policy', 'same-origin')
    .type(mimeType);
  if (sizeBytes === null) return reply.send(await read(files, key));
  const etag = `"${key.split('/').at(-1)}"`;
  reply.header('accept-ranges', 'bytes').header('etag', etag);
  const { range: asked, 'if-range': ifRange } = request.headers;
  const isSame = ifRange === undefined || ifRange === etag;
  const range = rangeOf(isSame ? asked : undefined, sizeBytes);
  if (range === 'unsatisfiable') {
    return reply.code(416).header('content-range', `bytes */${sizeBytes}`).send();
  }
  const { start, end } = range ?? { start: 0, end: sizeBytes - 1 };
  reply.header('content-length', end - start + 1);
  if (range) reply.code(206).header('content-range', `bytes ${start}-${end}/${sizeBytes}`);
  const isHead = request.method === 'HEAD';
  if (isHead) return reply.send();
  const content = await read(files, key, range ?? undefined);
  return reply.send(checkedAgain(content, checks.open(address, checkedAt)));
}

/**
 * Passes the file on, and checks while it does that it may still be read. Fails as the check does, which destroys the
 * answer, and with it the connection. Nothing is read ahead: four hundred slow readers would hold it in memory.
 */
function checkedAgain(file: Readable, check: ReturnType<MediaChecks['open']>): Readable {
  return Readable.from(checkedChunks(file, check), { objectMode: false, highWaterMark: 0 }).once(
    'close',
    () => {
      file.destroy();
      check.close();
    },
  );
}

async function* checkedChunks(file: Readable, { recheck }: ReturnType<MediaChecks['open']>) {
  for await (const chunk of file) {
    await recheck();
    yield chunk;
  }
}

const read = (files: Site['files'], key: string, range?: { start: number; end: number }) =>
  files.get(key, range).catch((error) => {
    // It was deleted or joined again meanwhile.
    throw error instanceof FileMissingError ? notFound() : error;
  });
