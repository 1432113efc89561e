import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { DomainError } from '#domain/errors.ts';

/** A body as it arrived. */
export interface Received {
  chunks: readonly Buffer[];
  sizeBytes: number;
  sha256: Buffer;
}

/**
 * Reads a body without joining its chunks, and hashes each as it arrives. A copy of the whole body, and another one for
 * a thread that hashes it, made the garbage collector pause the server for as long as everything else that a part takes:
 * V8 collects all garbage whenever 32 MB of buffers have come.
 * @throws DomainError 413
 */
export async function receivedPart(
  request: FastifyRequest,
  payload: IncomingMessage,
): Promise<Received> {
  const limit = request.routeOptions.bodyLimit;
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge();
  const hash = createHash('sha256');
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of payload) {
    sizeBytes += chunk.length;
    if (sizeBytes > limit) throw tooLarge();
    hash.update(chunk);
    chunks.push(chunk);
  }
  return { chunks, sizeBytes, sha256: hash.digest() };
}

const tooLarge = () =>
  new DomainError('too_large', 'too_large', 'This is too large. Please send less.');
