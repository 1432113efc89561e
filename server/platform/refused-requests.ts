import type { FastifyInstance, FastifyRequest } from 'fastify';

interface Noted {
  accountId?: string;
  code?: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** What the log says of it if it is refused. A property, because WeakMaps make collections long. */
    noted: Noted | null;
  }
}

/** Lets `noteOf` record what the log says of refused requests. */
export function keepNotes(http: FastifyInstance): void {
  http.decorateRequest('noted', null);
}

/** Records for the log who sent a request, or the code of its refusal. */
export function noteOf(request: FastifyRequest, more: Noted): void {
  request.noted = { ...request.noted, ...more };
}

const refusals = new Set([400, 401, 403, 404, 429]);

/** Returns the log fields of a refused request: its sender and the reason; nothing for others. */
export const refusalOf = (request: FastifyRequest, status: number): Noted =>
  refusals.has(status) ? (request.noted ?? {}) : {};
