import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { errorCodes, type FastifyRequest } from 'fastify';

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
 * @throws Fastify's error of a body that is too large, or an error with status 400
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
  try {
    // A body that is refused is answered before its connection closes.
    for await (const chunk of payload.iterator({ destroyOnReturn: false })) {
      sizeBytes += chunk.length;
      if (sizeBytes > limit) throw tooLarge();
      hash.update(chunk);
      chunks.push(chunk);
    }
  } catch (error) {
    throw isAnswered(error) ? error : endedEarly(error);
  }
  return { chunks, sizeBytes, sha256: hash.digest() };
}

const isAnswered = (error: unknown) => error instanceof Error && 'statusCode' in error;

/** As for bodies that Fastify reads: no fault of the server. */
const endedEarly = (error: unknown) =>
  Object.assign(error instanceof Error ? error : new Error(String(error)), { statusCode: 400 });

const tooLarge = () => new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE();
