import type { FastifyRequest } from 'fastify';
import { defaultBodyLimit } from '#domain/contract.ts';

/**
 * By the most bytes that a body may have: `short` up to 16 KB, `medium` up to 64 KB, which is about
 * what a socket buffers, and `long` above.
 */
export type BodySize = 'short' | 'medium' | 'long';

const mostMedium = 64 * 1024;

/** A body without a declared length counts as the longest that the route takes. */
export function sizeOf(request: FastifyRequest): BodySize {
  const bytes = mostBytesOf(request);
  if (!hasBody(request) || bytes <= defaultBodyLimit) return 'short';
  return bytes <= mostMedium ? 'medium' : 'long';
}

export const mostBytesOf = (request: FastifyRequest): number =>
  Math.min(lengthOf(request) ?? Number.POSITIVE_INFINITY, request.routeOptions.bodyLimit);

export const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** The declared length; undefined for a body that comes in chunks. */
export const lengthOf = ({ headers }: FastifyRequest) => {
  const length = headers['content-length'];
  return length === undefined ? undefined : Number(length);
};
