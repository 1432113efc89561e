import type { FastifyRequest } from 'fastify';

interface Noted {
  accountId?: string;
  code?: string;
}

const noted = new WeakMap<FastifyRequest, Noted>();

/** Records for the log who sent a request, or the code of its refusal. */
export function noteOf(request: FastifyRequest, more: Noted): void {
  noted.set(request, { ...noted.get(request), ...more });
}

const refusals = new Set([400, 401, 403, 404, 429]);

/** Returns the log fields of a refused request: its sender and the reason; nothing for others. */
export const refusalOf = (request: FastifyRequest, status: number): Noted =>
  refusals.has(status) ? (noted.get(request) ?? {}) : {};
