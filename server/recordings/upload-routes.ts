import type { FastifyRequest, RouteShorthandOptions } from 'fastify';
import { z } from 'zod';
import { DomainError, invalid, notFound } from '#domain/errors.ts';
import * as contract from '#domain/recordings/contract.ts';
import { answer, publicRoute, type Site } from '#server/http/route.ts';
import { holdPlace, placeBy } from '#server/platform/body-places.ts';
import { limit } from '#server/platform/rate-limit.ts';
import { whileOpen } from '#server/platform/while-open.ts';
import { readMeetingToken, tokenRefused } from '#server/rooms/meeting-token.ts';
import { beginSegment } from './begin-segment.ts';
import { UploadRates, uploadBounds } from './bounds.ts';
import { completeSegment, storePoster } from './complete-segment.ts';
import { PartRows } from './part-rows.ts';
import { type Received, receivedPart } from './received-part.ts';
import { storePart } from './store-part.ts';
import { UploadPlaces } from './upload-places.ts';
import {
  requireUploadToken,
  type UploadClaims,
  UploadTokens,
  uploadRefused,
} from './upload-token.ts';

const partNumber = z.coerce
  .number()
  .int()
  .min(0)
  .max(uploadBounds.mostPartsOfSegment - 1);

/** Registers what the pages of recorded participants call: they may be guests, and have left. */
export function uploadRoutes(site: Site): void {
  const beginning = limit(site, 'recorded_segments', 60, 60);
  const completing = limit(site, 'completed_segments', 60, 60);
  const rates = new UploadRates(site.config);
  publicRoute(site, contract.beginSegment, async ({ body, request }) => {
    const receivedAt = Date.now();
    const claims = await readMeetingToken(site.secrets, body.token);
    if (!claims) throw tokenRefused();
    beginning(claims.participantId);
    await whileOpen(request, (open) => rates.segmentTurn(claims, open));
    const ageMs = body.ageMs + Date.now() - receivedAt;
    const begun = await beginSegment(site, claims, { ...body, ageMs }, request.ip);
    return answer(201, { ...begun, receivedAt, answeredAt: Date.now() });
  });
  publicRoute(site, contract.completeSegment, async ({ params, body, request }) => {
    const upload = await requireUploadToken(site.secrets, body.uploadToken, params.id);
    completing(upload.participantId);
    await whileOpen(request, (open) => rates.segmentTurn(upload, open));
    await completeSegment(site, upload, body, request.ip);
    return answer(204, null);
  });
  site.http.register(async (http) => {
    http.addContentTypeParser(['application/octet-stream', 'image/jpeg'], receivedPart);
    takeBytes({ ...site, http }, rates);
  });
}

type Params = { id: string; number: string };

function takeBytes(site: Site, rates: UploadRates): void {
  const rows = new PartRows(site.database);
  const tokens = new UploadTokens(site.secrets);
  const uploads = new WeakMap<FastifyRequest, UploadClaims>();
  const received = new WeakMap<FastifyRequest, number>();
  const places = new UploadPlaces();
  /** Refuses what its token does not allow, and what comes too fast, before the body is read. */
  const admit = async (request: FastifyRequest) => {
    received.set(request, Date.now());
    const { id } = request.params as Params; // of both paths below
    const upload = await tokens.require(bearerOf(request), id);
    uploads.set(request, upload);
    const bytes = Number(request.headers['content-length'] ?? contract.largestPart);
    const waitMs = rates.spend(upload.participantId, upload.orgId, bytes);
    if (waitMs > 0) throw tooFast(waitMs);
    await whileOpen(request, (open) => rates.turn(upload, bytes, open));
    return UploadPlaces.keyOf(upload.orgId, upload.participantId);
  };
  const options = (bodyLimit: number): RouteShorthandOptions => ({
    schema: { hide: true },
    bodyLimit,
    config: { takesFile: true },
    onRequest: placeBy(admit, places),
  });
  const handle = <T>(request: FastifyRequest, work: (upload: UploadClaims, body: Received) => T) =>
    holdPlace(request, async () => {
      const upload = uploads.get(request);
      if (!upload) throw uploadRefused();
      const body = request.body as Received | undefined; // by the only parser of these routes
      if (!body || body.sizeBytes === 0) throw noBytes();
      requireDigest(request, body);
      return work(upload, body);
    });

  const partPath = '/api/recordings/segments/:id/parts/:number';
  site.http.put<{ Params: Params }>(partPath, options(contract.largestPart), (request, reply) =>
    handle(request, async (upload, body) => {
      const number = partNumber.safeParse(request.params.number);
      if (!number.success) throw notFound();
      const part = { number: number.data, ...body };
      const isNew = await storePart(site, rows, upload, part, request.ip);
      const answeredAt = Date.now();
      const receivedAt = received.get(request) ?? answeredAt;
      return reply.code(isNew ? 201 : 200).send({ receivedAt, answeredAt });
    }),
  );

  const posterPath = '/api/recordings/segments/:id/poster';
  site.http.put<{ Params: Params }>(posterPath, options(contract.largestPoster), (request, reply) =>
    handle(request, async (upload, { chunks }) => {
      await storePoster(site, upload, Buffer.concat(chunks), request.ip);
      return reply.code(204).send();
    }),
  );
}

const bearerOf = ({ headers }: FastifyRequest) =>
  /^Bearer (\S{1,4096})$/.exec(headers.authorization ?? '')?.[1] ?? '';

/**
 * Compares the bytes with the digest that the header states (RFC 9530).
 * @throws DomainError 400
 */
function requireDigest({ headers }: FastifyRequest, { sha256 }: Received): void {
  const stated = /(?:^|[\s,])sha-256=:([A-Za-z0-9+/=]+):/.exec(
    String(headers['content-digest'] ?? ''),
  );
  if (stated?.[1] === sha256.toString('base64')) return;
  throw invalid('digest_differs', 'The bytes don’t match their Content-Digest.');
}

const noBytes = () => invalid('no_bytes', 'Send the bytes as application/octet-stream.');

const tooFast = (waitMs: number) =>
  new DomainError(
    'too_many',
    'upload_too_fast',
    'This recording arrives too fast. Please send it more slowly.',
    { retryAfterSeconds: Math.ceil(waitMs / 1000) },
  );
